import type { Expressions } from '../expressions';
import { type RunStage, type Stage, stageError } from '../stage';
import {
  afterAll,
  checked,
  eachDocument,
  parseExpression,
  parseOptions,
  requireDocument,
  type StageCompiler,
  type Subpipelines,
  subpipelineSource,
} from './stageCompiler';
import { addFieldsStage, projectStage, unsetStage } from './projectStage';
import { bucketAutoStage } from './bucketAutoStage';
import { bucketStage, groupStage, sortByCountStage } from './groupStage';
import { densifyStage } from './densifyStage';
import { facetStage } from './facetStage';
import { fillStage } from './fillStage';
import { geoNearStage } from './geoNearStage';
import { lookupStage } from './lookupStage';
import { partition, type Partition, partitionKey, sortStage, stageSortKeys } from './sortStage';
import { sortDocuments, type SortKey } from '../sortKeys';
import { countStage, limitStage, sampleStage, skipStage, unwindStage } from './streamStages';
import {
  collect,
  type Document,
  fieldTree,
  isDocument,
  parseFieldPath,
  valueAt,
  withValueAt,
} from '../document';
import { compileWindowFunction, type WindowFunction } from './windowFields/windowFunctions';

/** `$match`: returns the documents that meet a condition. */
function matchStage(stage: Stage, expressions: Expressions): RunStage {
  const { $sampleRate: rate = 1, ...spec } = requireDocument(stage, stage.spec, 'the condition');
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) {
    throw stageError(stage, '$sampleRate must be a number from 0 to 1');
  }
  const condition = parseCondition(stage, spec);
  parseExpression(stage, condition.$expr);
  const test = checked(stage, () => expressions.test(condition));
  const isSampled = (): boolean => rate === 1 || Math.random() < rate;
  return eachDocument(stage, (document) => (test(document) && isSampled() ? document : undefined));
}

/** Returns a condition without its comments. */
function parseCondition(stage: Stage, condition: Document): Document {
  const parts = Object.entries(condition).filter(([name]) => name !== '$comment');
  return Object.fromEntries(
    parts.map(([name, value]) => {
      if (!['$and', '$or', '$nor'].includes(name)) return [name, value];
      if (!Array.isArray(value) || value.length === 0 || !value.every(isDocument)) {
        throw stageError(stage, `${name} must be an array of at least one condition`);
      }
      return [name, value.map((part) => parseCondition(stage, part))];
    }),
  );
}

/** `$replaceRoot` and `$replaceWith`: replaces each document with an embedded or computed one. */
function replaceRootStage(stage: Stage, expressions: Expressions): RunStage {
  const expression = parseExpression(
    stage,
    stage.name === '$replaceWith'
      ? stage.spec
      : parseOptions(stage, { known: ['newRoot'], required: ['newRoot'] }).newRoot,
  );
  return eachDocument(stage, (document) => {
    const root = expressions.compute(document, expression);
    if (!isDocument(root)) {
      throw stageError(stage, 'the new root must be a document; exclude others with $match first');
    }
    return root;
  });
}

/** `$unionWith`: returns the input documents, followed by the documents from another pipeline. */
function unionWithStage(
  stage: Stage,
  expressions: Expressions,
  subpipelines: Subpipelines,
): RunStage {
  const { coll, pipeline = [] } =
    typeof stage.spec === 'string'
      ? { coll: stage.spec }
      : parseOptions(stage, { known: ['coll', 'pipeline'], required: [] });
  const source = subpipelineSource(
    stage,
    { option: 'coll', collection: coll, pipeline },
    subpipelines,
  );
  // Compiles the stages before any data is read, so that errors are reported early.
  subpipelines.compile(source.stages, expressions);
  return async function* (input) {
    yield* input;
    yield* source.read(source.stages, expressions);
  };
}

/**
 * `$redact`: determines for each document, and for each embedded document, whether it is retained.
 */
function redactStage(stage: Stage, expressions: Expressions): RunStage {
  const expression = parseExpression(stage, stage.spec);
  const redacted = (document: Document, root: Document): Document | undefined => {
    const decision = expressions.compute(document, expression, root);
    switch (decision) {
      case '$$KEEP':
        return document;
      case '$$PRUNE':
        return undefined;
      case '$$DESCEND':
        return Object.fromEntries(
          Object.entries(document)
            .map(
              ([name, value]) => [name, within(value, (inner) => redacted(inner, root))] as const,
            )
            .filter(([, value]) => value !== undefined),
        );
      default:
        throw stageError(
          stage,
          'it must evaluate to $$KEEP, $$PRUNE, or $$DESCEND for every document',
        );
    }
  };
  return eachDocument(stage, (document) => redacted(document, document));
}

function within(value: unknown, redacted: (document: Document) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => within(item, redacted)).filter((item) => item !== undefined);
  }
  return isDocument(value) ? redacted(value) : value;
}

interface OutputField {
  path: readonly string[];
  compute: WindowFunction;
}

/**
 * `$setWindowFields`: adds fields to each document that are computed from surrounding documents.
 */
function windowFieldsStage(stage: Stage, expressions: Expressions): RunStage {
  const spec = parseOptions(stage, {
    known: ['partitionBy', 'sortBy', 'output'],
    required: ['output'],
  });
  const keys = spec.sortBy === undefined ? [] : stageSortKeys(stage, spec.sortBy, 'sortBy');
  const key = partitionKey(stage, { partitionBy: spec.partitionBy }, expressions);
  const output = Object.entries(requireDocument(stage, spec.output, 'output'));
  checked(stage, () => fieldTree(Object.fromEntries(output.map(([name]) => [name, 1])), Boolean));
  const fields = output.map(([name, value]) => ({
    path: checked(stage, () => parseFieldPath(name)),
    compute: compileWindowFunction(
      stage,
      [name, requireDocument(stage, value, name)],
      keys,
      expressions,
    ),
  }));
  return afterAll(stage, async (input) =>
    addFields(partition(await collect(input), key), keys, fields),
  );
}

/** Every function receives the input documents, without the added fields. */
function* addFields(
  partitions: readonly Partition[],
  keys: readonly SortKey[],
  fields: readonly OutputField[],
): Generator<Document, void> {
  const [first] = keys;
  for (const part of partitions) {
    const documents = sortDocuments(part.documents, keys);
    const sortValues =
      first === undefined ? [] : documents.map((document) => valueAt(document, first.path));
    const columns = fields.map(({ path, compute }) => ({
      path,
      values: compute({ documents, sortValues }),
    }));
    for (const [index, document] of documents.entries()) {
      yield columns.reduce(
        (added, { path, values }) => withValueAt(added, path, values[index]),
        document,
      );
    }
  }
}

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
  if (compile === undefined) throw new Error(`no such stage: ${stage.name}`);
  return compile(stage, expressions, subpipelines);
}
