import { invalidQuery, type JobError } from '../jobError';
import type { Batches } from './document';

/** A stage in the caller's pipeline. */
export interface Stage {
  /** Name of the stage, including the dollar sign: `$match`. */
  name: string;
  spec: unknown;
  /** One-based position in the pipeline. */
  position: number;
  /**
   * Stage whose pipeline contains this stage, and the path of that pipeline in the outer stage's
   * specification.
   */
  within?: { stage: Stage; path: StagePath } | undefined;
}

/** Transforms a stream of documents into the input of the next stage. */
export type RunStage = (input: Batches) => Batches;

/** A path in a stage's specification: names and list indexes. */
export type StagePath = readonly string[];

/** Describes a stage in terms that the query's author understands. */
export function describeStage({ name, position, within }: StageName): string {
  const own = `stage ${String(position)} (${name})`;
  return within === undefined ? own : `${describeStage(within.stage)}, its ${own}`;
}

/**
 * Returns a stage's position in the whole pipeline: the zero-based index of its outermost stage,
 * and the path from that stage.
 */
export function locateStage(
  { position, within }: Pick<Stage, 'position' | 'within'>,
  path: StagePath,
): { stage: number; path: StagePath } {
  const index = position - 1;
  if (within === undefined) return { stage: index, path };
  const { stage, path: inner } = within;
  return locateStage(stage, [stage.name, ...inner, String(index), ...path]);
}

type StageName = Pick<Stage, 'name' | 'position' | 'within'>;

/**
 * Returns the error for a stage, described in terms that the query's author understands.
 * @param options `path` is the path of the error in the stage's specification, if known.
 */
export function stageError(
  stage: StageName,
  message: string,
  { path = [], ...options }: ErrorOptions & { path?: StagePath } = {},
): JobError {
  return invalidQuery(`${describeStage(stage)}: ${message}`, {
    ...options,
    location: locateStage(stage, [stage.name, ...path]),
  });
}
