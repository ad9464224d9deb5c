import { jsonLine } from '../../../base/jsonLine';
import type { TrainingTask } from '../../../core/model/trainingTask';
import type { TrainingLine } from '../trainingRunner';

/** What a training process is told, as one line of JSON on its stdin, which stays open. */
export interface TrainerJob {
  readonly task: TrainingTask;
  readonly labels: readonly string[];
  /** `dataset.jsonl`, absolute. */
  readonly datasetFile: string;
  /** Absolute; there and empty. */
  readonly outputFolder: string;
  /** It goes through the images so often at most. */
  readonly maxEpochs: number;
}

/** One line of JSON on its stdout. After `ended` nothing comes. */
export type TrainerMessage =
  | { readonly kind: 'line'; readonly line: TrainingLine }
  /** With a failure, a sentence for the person who asked for the training. */
  | { readonly kind: 'ended'; readonly failure?: string };

/** What a training process writes to stderr when it ends itself for the memory it took. */
export const MEMORY_MARK = 'training process: out of memory';

/** @throws SyntaxError when it is none. */
export function readTrainerMessage(line: string): TrainerMessage {
  return JSON.parse(line) as TrainerMessage;
}

export function trainerMessageLine(message: TrainerJob | TrainerMessage): string {
  return `${jsonLine(message)}\n`;
}
