import { jsonLine } from '../../../base/jsonLine';
import type { TrainingTask } from '../../../core/model/trainingJob';
import type { TrainingLine } from '../trainingRunner';

/** Message to a training process, as one line of JSON on its stdin, which stays open. */
export interface TrainerJob {
  readonly task: TrainingTask;
  readonly labels: readonly string[];
  /** Absolute path of `dataset.jsonl`. */
  readonly datasetFile: string;
  /** Absolute path of an existing empty folder. */
  readonly outputFolder: string;
  /** Maximum number of epochs. */
  readonly maxEpochs: number;
}

/** Message from a training process: one line of JSON on its stdout. `ended` is the last message. */
export type TrainerMessage =
  | { readonly kind: 'line'; readonly line: TrainingLine }
  /** If the job failed, `failure` is a sentence for the user who submitted the job. */
  | { readonly kind: 'ended'; readonly failure?: string };

/** Text that a training process writes to stderr when it exits because of its memory limit. */
export const MEMORY_MARK = 'training process: out of memory';

/** @throws SyntaxError if the line is not a valid message. */
export function readTrainerMessage(line: string): TrainerMessage {
  return JSON.parse(line) as TrainerMessage;
}

export function trainerMessageLine(message: TrainerJob | TrainerMessage): string {
  return `${jsonLine(message)}\n`;
}
