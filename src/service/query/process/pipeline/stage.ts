import { type JobError, invalidQuery } from '../jobError';
import type { Batches } from './values/document';

/** A stage as the caller wrote it. */
export interface Stage {
  /** With the dollar: `$match`. */
  name: string;
  spec: unknown;
  /** The first stage is 1. */
  position: number;
}

/** Makes of a stream of documents the stream that the next stage sees. */
export type RunStage = (input: Batches) => Batches;

/** Says what is wrong with a stage, naming it as its writer would. */
export function stageError(
  { name, position }: Pick<Stage, 'name' | 'position'>,
  message: string,
  options?: ErrorOptions,
): JobError {
  return invalidQuery(`stage ${String(position)} (${name}): ${message}`, options);
}
