import type { Expressions } from './expressions';
import { nestedStages } from './decodeStages';
import type { RunStage, Stage } from './stage';
import type { Subpipelines } from './subpipelines';
import { compileStage } from './stages/compileStage';
import { sortStage } from './stages/sortStage';
import type { Batches } from './values/document';

/** Input of stages, in addition to the documents that are passed to them. */
export type Collection = Pick<Subpipelines, 'read' | 'leftAfterSql'>;

/**
 * Chains stages.
 * @throws JobError InvalidArgument that names the stage if a stage is invalid.
 */
export function throughStages(
  stages: readonly Stage[],
  expressions: Expressions,
  collection: Collection,
): RunStage {
  const subpipelines: Subpipelines = {
    parse: nestedStages,
    compile: (inner, own) => throughStages(inner, own, collection),
    read: (inner, own) => collection.read(inner, own),
    leftAfterSql: (inner, own) => collection.leftAfterSql(inner, own),
  };
  const runs = stages.map((stage, index) => {
    const limit = stage.name === '$sort' ? getSortLimit(stages.slice(index + 1)) : undefined;
    return limit === undefined
      ? compileStage(stage, expressions, subpipelines)
      : sortStage(stage, limit);
  });
  return (input) => runs.reduce<Batches>((documents, run) => run(documents), input);
}

/**
 * Returns the number of sorted documents that are needed if `$skip` and `$limit` follow
 * immediately.
 */
function getSortLimit(stages: readonly Stage[]): number | undefined {
  let skipped = 0;
  for (const { name, spec } of stages) {
    if (name === '$skip') {
      skipped += Number(spec);
    } else {
      return name === '$limit' ? skipped + Number(spec) : undefined;
    }
  }
  return undefined;
}
