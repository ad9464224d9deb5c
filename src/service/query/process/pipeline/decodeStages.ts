import { BSONError, BSONRegExp, BSONSymbol, Code, Decimal128, deserialize, Long } from 'bson';
import { invalidQuery } from '../jobError';
import {
  describeStage,
  locateStage,
  type RunStage,
  type Stage,
  stageError,
  type StagePath,
} from './stage';
import { compileStage, STAGE_NAMES } from './stages/compileStage';
import { DOCUMENTS, type Subpipelines } from './stages/stageCompiler';
import { type Batches, type Document, isDocument } from './document';
import { compilePattern } from './patterns';
import type { Expressions } from './expressions';
import { sortStage } from './stages/sortStage';

const MAX_STAGES = 100;
/** Maximum nesting depth of pipelines within stages, which is MongoDB's limit. */
const MAX_NESTED = 20;

/**
 * Parses the stages in a pipeline, each of which is a BSON document.
 * @throws JobError InvalidArgument that names the stage if it is invalid or not supported.
 */
export function decodeStages(documents: readonly Uint8Array[]): Stage[] {
  if (documents.length > MAX_STAGES) {
    throw invalidQuery(
      `the pipeline has ${String(documents.length)} stages; the maximum is ${String(MAX_STAGES)}`,
    );
  }
  return documents.map((bytes, index) => decodeStage(bytes, index + 1));
}

/**
 * Parses the stages in a pipeline within a stage.
 * @param path path of the pipeline in the stage's specification
 * @throws JobError InvalidArgument, like `decodeStages`.
 */
export function nestedStages(stage: Stage, pipeline: unknown, path: StagePath): Stage[] {
  if (!Array.isArray(pipeline) || pipeline.length > MAX_STAGES) {
    const message = `${path.join('.')} must be an array of at most ${String(MAX_STAGES)} stages`;
    throw stageError(stage, message, { path });
  }
  let depth = 1;
  for (let outer = stage.within; outer !== undefined; outer = outer.stage.within) {
    depth += 1;
  }
  if (depth > MAX_NESTED) {
    const message = `pipelines can be nested up to ${String(MAX_NESTED)} levels deep`;
    throw stageError(stage, message, { path });
  }
  return pipeline.map((document: unknown, index) =>
    readStage(document, { position: index + 1, within: { stage, path } }),
  );
}

function decodeStage(bytes: Uint8Array, position: number): Stage {
  const stage = readStage(decodeDocument(bytes, position), { position });
  return { ...stage, spec: plainValue(stage, stage.spec) };
}

function readStage(document: unknown, context: Pick<Stage, 'position' | 'within'>): Stage {
  const entries = isDocument(document) ? Object.entries(document) : [];
  const [name, spec] = entries[0] ?? [];
  if (name === undefined || entries.length > 1) {
    const found = entries.map(([key]) => key).join(', ');
    const { position, within } = context;
    const outer = within === undefined ? '' : `${describeStage(within.stage)}, its `;
    const path = entries.slice(1, 2).map(([key]) => key);
    throw invalidQuery(
      `${outer}stage ${String(position)}: a stage must have exactly one field, its name, such as ` +
        `{"$limit": 10}; this one has ${found === '' ? 'none' : found}`,
      { location: locateStage(context, path) },
    );
  }
  const stage = { name, spec, ...context };
  if (name === '$graphLookup') {
    throw stageError(
      stage,
      'recursive lookups are not supported; use a $lookup for each step instead',
    );
  }
  if (!STAGE_NAMES.includes(name) && !(name === DOCUMENTS && context.within !== undefined)) {
    throw stageError(
      stage,
      `this stage is not supported; these stages are: ${STAGE_NAMES.join(' ')}`,
    );
  }
  return stage;
}

function decodeDocument(bytes: Uint8Array, position: number): Record<string, unknown> {
  try {
    return deserialize(bytes, {
      promoteLongs: false,
      bsonRegExp: true,
      validation: { utf8: true },
    });
  } catch (error) {
    if (error instanceof BSONError || error instanceof RangeError) {
      throw invalidQuery(`stage ${String(position)}: not a valid BSON document`, {
        location: { stage: position - 1, path: [] },
        cause: error,
      });
    }
    throw error;
  }
}

const MAX_DEPTH = 100;

/** Operators that run the caller's code. */
const SCRIPTS: ReadonlySet<string> = new Set(['$where', '$function', '$accumulator']);

/**
 * Converts a value in a stage to the form that stages evaluate. All numbers become JavaScript
 * numbers, and patterns become `RegExp`. Rejects anything that could access data other than the
 * documents.
 * @throws JobError InvalidArgument for code, excessive nesting, and names that have a special
 *   meaning in JavaScript.
 */
function plainValue(stage: Stage, value: unknown, path: StagePath = []): unknown {
  if (path.length > MAX_DEPTH) {
    throw stageError(stage, `it is nested deeper than ${String(MAX_DEPTH)} levels`);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => plainValue(stage, item, [...path, String(index)]));
  }
  if (isDocument(value)) {
    const document: Document = Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const inner = [...path, name];
        checkName(stage, name, inner);
        return [name, plainValue(stage, member, inner)];
      }),
    );
    const { $regex: source, $options: options = '', ...others } = document;
    return typeof source === 'string' && typeof options === 'string'
      ? { ...others, $regex: pattern(stage, source, options, [...path, '$regex']) }
      : document;
  }
  return plainScalar(stage, value, path);
}

function plainScalar(stage: Stage, value: unknown, path: StagePath): unknown {
  if (typeof value === 'string') {
    checkPath(stage, value, path);
    return value;
  }
  if (value instanceof Long) return value.toNumber();
  if (value instanceof Decimal128) return Number(value.toString());
  if (value instanceof BSONSymbol) return value.value;
  if (value instanceof BSONRegExp) return pattern(stage, value.pattern, value.options, path);
  if (value instanceof Code) {
    throw stageError(stage, 'JavaScript code is not supported; use expressions such as $cond', {
      path,
    });
  }
  return value;
}

function checkName(stage: Stage, name: string, path: StagePath): void {
  if (SCRIPTS.has(name)) {
    throw stageError(stage, `${name} is not supported; use expressions such as $cond`, { path });
  }
  checkPath(stage, name, path);
}

function checkPath(stage: Stage, text: string, path: StagePath): void {
  if (text.includes('__proto__') && text.split(/[.$]/u).includes('__proto__')) {
    throw stageError(stage, 'the name __proto__ is not allowed', { path });
  }
}

function pattern(stage: Stage, source: string, options: string, path: StagePath): RegExp {
  try {
    return compilePattern(source, options);
  } catch (error) {
    const reason = error instanceof TypeError ? `: ${error.message}` : '';
    throw stageError(stage, `/${source}/ is not a valid pattern${reason}`, { cause: error, path });
  }
}

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
 * Returns the number of sorted documents that are needed if `$skip` and `$limit` immediately follow
 * the sort.
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
