import { type JobError, invalidQuery } from '../jobError';
import type { Batches } from './values/document';

/** A stage in the caller's pipeline. */
export interface Stage {
  /** Including the dollar sign: `$match`. */
  name: string;
  spec: unknown;
  /** 1 for the first stage. */
  position: number;
  /** The stage whose pipeline contains it, and the path of that pipeline in its specification. */
  within?: { stage: Stage; path: StagePath } | undefined;
}

/** Transforms a stream of documents into the input of the next stage. */
export type RunStage = (input: Batches) => Batches;

/** A path in the specification of a stage: names and list indexes. */
export type StagePath = readonly string[];

/** Describes a stage in the terms of the query's author. */
export function describeStage({ name, position, within }: StageName): string {
  const own = `stage ${String(position)} (${name})`;
  return within === undefined ? own : `${describeStage(within.stage)}, its ${own}`;
}

/**
 * Returns the position of a stage in the whole pipeline: its outermost stage, from 0, and the path
 * from there.
 */
export function locateStage(
  { position, within }: Pick<Stage, 'position' | 'within'>,
  path: StagePath,
): { stage: number; path: StagePath } {
  const index = position - 1;
  if (within === undefined) {
    return { stage: index, path };
  }
  const { stage, path: inner } = within;
  return locateStage(stage, [stage.name, ...inner, String(index), ...path]);
}

type StageName = Pick<Stage, 'name' | 'position' | 'within'>;

/**
 * Returns the error for a stage, which describes it in the terms of the query's author.
 * @param options `path` leads from the stage's specification to the error, if known.
 */
export function stageError(
  stage: StageName,
  message: string,
  { path = [], ...options }: ErrorOptions & { path?: StagePath } = {},
): JobError {
  return invalidQuery(`${describeStage(stage)}: ${message}`, {
    ...options,
    place: locateStage(stage, [stage.name, ...path]),
  });
}
