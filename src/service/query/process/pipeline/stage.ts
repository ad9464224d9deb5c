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

/** Where in the specification of a stage something is: names, and places in lists. */
export type StagePath = readonly string[];

/**
 * Says what is wrong with a stage, naming it as its writer would.
 * @param options `path` leads from the stage's specification to what is wrong, when that is known.
 */
export function stageError(
  { name, position }: Pick<Stage, 'name' | 'position'>,
  message: string,
  { path = [], ...options }: ErrorOptions & { path?: StagePath } = {},
): JobError {
  return invalidQuery(`stage ${String(position)} (${name}): ${message}`, {
    ...options,
    place: { stage: position - 1, path: [name, ...path] },
  });
}
