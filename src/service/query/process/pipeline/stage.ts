import { type JobError, invalidQuery } from '../jobError';
import type { Batches } from './values/document';

/** A stage as the caller wrote it. */
export interface Stage {
  /** With the dollar: `$match`. */
  name: string;
  spec: unknown;
  /** The first stage is 1. */
  position: number;
  /** The stage whose pipeline it belongs to, and where in its specification that pipeline is. */
  within?: { stage: Stage; path: StagePath } | undefined;
}

/** Makes of a stream of documents the stream that the next stage sees. */
export type RunStage = (input: Batches) => Batches;

/** Where in the specification of a stage something is: names, and places in lists. */
export type StagePath = readonly string[];

/** Names a stage as its writer would. */
export function describeStage({ name, position, within }: StageName): string {
  const own = `stage ${String(position)} (${name})`;
  return within === undefined ? own : `${describeStage(within.stage)}, its ${own}`;
}

/** Where a stage is in the whole pipeline: its outermost stage, from 0, and the path from there. */
export function placeOfStage(
  { position, within }: Pick<Stage, 'position' | 'within'>,
  path: StagePath,
): { stage: number; path: StagePath } {
  const index = position - 1;
  if (within === undefined) {
    return { stage: index, path };
  }
  const { stage, path: inner } = within;
  return placeOfStage(stage, [stage.name, ...inner, String(index), ...path]);
}

type StageName = Pick<Stage, 'name' | 'position' | 'within'>;

/**
 * Says what is wrong with a stage, naming it as its writer would.
 * @param options `path` leads from the stage's specification to what is wrong, when that is known.
 */
export function stageError(
  stage: StageName,
  message: string,
  { path = [], ...options }: ErrorOptions & { path?: StagePath } = {},
): JobError {
  return invalidQuery(`${describeStage(stage)}: ${message}`, {
    ...options,
    place: placeOfStage(stage, [stage.name, ...path]),
  });
}
