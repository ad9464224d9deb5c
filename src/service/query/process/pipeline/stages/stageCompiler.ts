import { exhausted, JobError } from '../../jobError';
import { type Expressions, findExpressionError } from '../expressions';
import { describeStage, type RunStage, type Stage, stageError, type StagePath } from '../stage';
import { type Batches, type Document, inBatches, isDocument } from '../document';

/** Parses a stage and returns a function that runs it. Throws if the stage is invalid. */
export type StageCompiler = (
  stage: Stage,
  expressions: Expressions,
  subpipelines: Subpipelines,
) => RunStage;

/** Returns a stage's specification. The specification must be a document. */
export function requireDocument(stage: Stage, spec: unknown = stage.spec, what = 'it'): Document {
  if (!isDocument(spec)) {
    throw stageError(stage, `${what} must be a document, such as {"field": 1}`);
  }
  return spec;
}

/**
 * Returns the members in an options document.
 * @throws JobError InvalidArgument for unknown and missing options.
 */
export function parseOptions(
  stage: Stage,
  { known, required }: { known: readonly string[]; required: readonly string[] },
): Document {
  const options = requireDocument(stage);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw stageError(
      stage,
      `unknown option ${unknown.join(', ')}; the options are ${known.join(', ')}`,
      { path: unknown.slice(0, 1) },
    );
  }
  const missing = required.filter((name) => options[name] === undefined);
  if (missing.length > 0) throw stageError(stage, `the option ${missing.join(', ')} is missing`);
  return options;
}

/** Returns an integer, which must be at least `least`. */
export function parseCount(stage: Stage, value: unknown, least: number, what = 'it'): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw stageError(stage, `${what} must be a whole number of at least ${String(least)}`);
  }
  return value;
}

/** Validates an expression to the extent that is possible before evaluation. */
export function parseExpression(stage: Stage, expression: unknown): unknown {
  const error = findExpressionError(expression);
  if (error !== undefined) {
    const { message, path } = error;
    throw stageError(stage, message, {
      path: [...(pathTo(expression, stage.spec) ?? []), ...path],
    });
  }
  return expression;
}

/** Runs part of a stage, and adds the stage's name to its errors. */
export function checked<Result>(stage: Stage, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw toStageError(stage, error);
  }
}

/**
 * Returns a stage that maps each document separately. Documents mapped to undefined are removed.
 */
export function eachDocument(
  stage: Stage,
  change: (document: Document) => Document | undefined,
): RunStage {
  return async function* (input) {
    for await (const batch of input) {
      const changed = checked(stage, () =>
        batch.map(change).filter((document) => document !== undefined),
      );
      if (changed.length > 0) yield changed;
    }
  };
}

/** Returns a stage that collects all documents and then yields any number of output documents. */
export function afterAll(
  stage: Stage,
  gather: (input: Batches) => Promise<Iterable<Document>>,
): RunStage {
  return async function* (input) {
    try {
      for (const batch of inBatches(await gather(input))) {
        yield batch;
      }
    } catch (error) {
      throw toStageError(stage, error);
    }
  };
}

/**
 * Converts an evaluation error to an error that names its stage. Returns errors from earlier stages
 * unchanged.
 */
export function toStageError(stage: Stage, error: unknown): JobError {
  if (error instanceof JobError) return error;
  const options = { cause: error };
  if (error instanceof RangeError && /Invalid (string|array) length|size/u.test(error.message)) {
    return exhausted(`${describeStage(stage)}: a value is too large`, options);
  }
  const message = error instanceof Error ? error.message : String(error);
  const isEngines = /^Cannot |is not (a function|iterable|defined)/u.test(message);
  return stageError(
    stage,
    isEngines ? 'a value has the wrong type' : message.replace(/^mingo: /u, ''),
    { ...options, path: findOperatorPath(message, stage.spec) },
  );
}

/**
 * Returns the path of the operator that a message reports as unknown. Returns an empty path unless
 * exactly one operator has that name.
 */
function findOperatorPath(message: string, spec: unknown): StagePath {
  const [, name] = /unknown (?:query|top level) operator:? (\$\w+)/u.exec(message) ?? [];
  const [path, ...others] = name === undefined ? [] : [...pathsEndingWith(name, spec)];
  return path !== undefined && others.length === 0 ? path : [];
}

function* pathsEndingWith(
  name: string,
  within: unknown,
  path: StagePath = [],
): Generator<StagePath> {
  if (typeof within !== 'object' || within === null) return;
  for (const [key, value] of Object.entries(within)) {
    const inner = [...path, key];
    if (key === name) yield inner;
    yield* pathsEndingWith(name, value, inner);
  }
}

/**
 * Returns the path of a document or list within another document or list; undefined if the other
 * one doesn't contain it.
 */
function pathTo(sought: unknown, within: unknown): StagePath | undefined {
  if (sought === within) return [];
  if (typeof within !== 'object' || within === null) return undefined;
  for (const [name, value] of Object.entries(within)) {
    const path = typeof value === 'object' ? pathTo(sought, value) : undefined;
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

/** Support for nested pipelines. Parses and compiles them, and reads the collection for them. */
export interface Subpipelines {
  /**
   * Parses the stages in a pipeline in a stage's specification.
   * @throws JobError InvalidArgument
   */
  parse: (stage: Stage, pipeline: unknown, path: StagePath) => Stage[];
  /**
   * Compiles stages.
   * @throws JobError InvalidArgument
   */
  compile: (stages: readonly Stage[], expressions: Expressions) => RunStage;
  /**
   * Returns all readings after the given stages have transformed them. The caller can run other
   * reads concurrently.
   */
  read: (stages: readonly Stage[], expressions: Expressions) => Batches;
  /** Returns the stages that remain after other stages have been pushed down to SQL. */
  leftAfterSql: (stages: readonly Stage[], expressions: Expressions) => readonly Stage[];
}

/** First stage of a nested pipeline whose input is a list of documents rather than a collection. */
export const DOCUMENTS = '$documents';
const COLLECTION = 'readings';

/** A nested pipeline's input and stages. */
export interface SubpipelineSource {
  stages: readonly Stage[];
  /** Returns the input after the given stages have transformed it. */
  read: (stages: readonly Stage[], expressions: Expressions) => Batches;
  /** True if the pipeline reads the collection. SQL can then execute some of the stages. */
  isCollection: boolean;
}

/**
 * Parses the collection and pipeline in a stage such as `$lookup`.
 * @param option name of the option that specifies the collection
 * @throws JobError InvalidArgument
 */
export function subpipelineSource(
  stage: Stage,
  { option, collection, pipeline }: { option: string; collection: unknown; pipeline: unknown },
  subpipelines: Subpipelines,
): SubpipelineSource {
  const all = subpipelines.parse(stage, pipeline, ['pipeline']);
  const [first, ...rest] = all;
  const late = rest.find(({ name }) => name === DOCUMENTS);
  if (late !== undefined) throw stageError(late, 'it can only be the first stage of a pipeline');
  if (collection !== undefined && collection !== COLLECTION) {
    const path = typeof stage.spec === 'string' ? [] : [option];
    const message = `${option} must be "${COLLECTION}": there is no other collection`;
    throw stageError(stage, message, { path });
  }
  if (first?.name === DOCUMENTS) {
    if (collection !== undefined) {
      throw stageError(first, `it replaces ${option}; use only one of them`);
    }
    parseExpression(first, first.spec);
    return {
      stages: rest,
      read: (stages, expressions) =>
        subpipelines.compile(stages, expressions)(toStream(literalDocuments(first, expressions))),
      isCollection: false,
    };
  }
  if (collection === undefined) {
    const message = `it needs ${option}, or a pipeline that begins with ${DOCUMENTS}`;
    throw stageError(stage, message);
  }
  return { stages: all, read: subpipelines.read, isCollection: true };
}

function literalDocuments(stage: Stage, expressions: Expressions): readonly Document[] {
  const documents = checked(stage, () => expressions.compute({}, stage.spec));
  if (!Array.isArray(documents) || !documents.every(isDocument)) {
    throw stageError(stage, 'it must be an array of documents');
  }
  return documents;
}

/** Returns documents in memory as a stream. */
export async function* toStream(
  documents: readonly Document[],
): AsyncGenerator<readonly Document[], void> {
  await Promise.resolve();
  yield* inBatches(documents);
}
