import type { Expressions } from '../expressions';
import type { RunStage, Stage } from '../stage';
import type { Subpipelines } from '../subpipelines';
import { addFieldsStage } from './addFieldsStage';
import { bucketAutoStage } from './bucketAutoStage';
import { bucketStage, sortByCountStage } from './bucketStage';
import { densifyStage } from './densifyStage';
import { facetStage } from './facetStage';
import { fillStage } from './fillStage';
import { geoNearStage } from './geoNearStage';
import { groupStage } from './groupStage';
import { lookupStage } from './lookupStage';
import { matchStage } from './matchStage';
import { projectStage, unsetStage } from './projectStage';
import { redactStage } from './redactStage';
import { replaceRootStage } from './replaceRootStage';
import { sortStage } from './sortStage';
import type { StageCompiler } from './support';
import { unionWithStage } from './unionWithStage';
import { unwindStage } from './unwindStage';
import { windowFieldsStage } from './windowFieldsStage';
import { countStage, limitStage, sampleStage, skipStage } from './windowOfStream';

/** All supported stages. */
const COMPILERS: ReadonlyMap<string, StageCompiler> = new Map<string, StageCompiler>([
  ['$addFields', addFieldsStage],
  ['$bucket', bucketStage],
  ['$bucketAuto', bucketAutoStage],
  ['$count', countStage],
  ['$densify', densifyStage],
  ['$facet', facetStage],
  ['$fill', fillStage],
  ['$geoNear', geoNearStage],
  ['$group', groupStage],
  ['$limit', limitStage],
  ['$lookup', lookupStage],
  ['$match', matchStage],
  ['$project', projectStage],
  ['$redact', redactStage],
  ['$replaceRoot', replaceRootStage],
  ['$replaceWith', replaceRootStage],
  ['$sample', sampleStage],
  ['$set', addFieldsStage],
  ['$setWindowFields', windowFieldsStage],
  ['$skip', skipStage],
  ['$sort', (stage) => sortStage(stage)],
  ['$sortByCount', sortByCountStage],
  ['$unionWith', unionWithStage],
  ['$unset', unsetStage],
  ['$unwind', unwindStage],
]);

/** Names of all supported stages, in alphabetical order. */
export const STAGE_NAMES: readonly string[] = [...COMPILERS.keys()];

/**
 * Compiles a stage.
 * @throws JobError InvalidArgument that names the stage, if it is invalid.
 */
export function compileStage(
  stage: Stage,
  expressions: Expressions,
  subpipelines: Subpipelines,
): RunStage {
  const compile = COMPILERS.get(stage.name);
  if (compile === undefined) {
    throw new Error(`no such stage: ${stage.name}`);
  }
  return compile(stage, expressions, subpipelines);
}
