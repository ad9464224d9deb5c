import { hasOnlyOperators } from '../conditionOperators';
import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import {
  checked,
  parseExpression,
  parseOptions,
  requireDocument,
  type Subpipelines,
  subpipelineSource,
  type SubpipelineSource,
  toStream,
} from './stageCompiler';
import { toGroupKey } from '../compareValues';
import {
  collect,
  type Document,
  isNullish,
  parseFieldPath,
  valuesAt,
  withValueAt,
} from '../document';

/**
 * As in MongoDB, names start with a lowercase letter, which distinguishes them from built-in
 * variables.
 */
const VARIABLE_NAME = /^[a-z]\w*$/u;
const MAX_CACHED_RESULTS = 1000;

interface Lookup {
  stage: Stage;
  source: SubpipelineSource;
  /** Values that are computed from a document for use in the pipeline. */
  variables: readonly (readonly [name: string, expression: unknown])[];
  /**
   * Expressions in the stage, and expressions in its pipeline. The latter can also use the
   * variables.
   */
  expressions: Expressions;
  inner: Expressions;
  subpipelines: Subpipelines;
}

/** Yields the joined documents for each document in a batch. */
type Join = (documents: readonly Document[]) => AsyncIterable<readonly Document[]>;

/** Number of joined documents after which a batch is passed on. It limits the size of batches. */
const MAX_JOINED_TOGETHER = 1000;

/** `$lookup`: adds to each document an array of the matching documents. */
export function lookupStage(
  stage: Stage,
  expressions: Expressions,
  subpipelines: Subpipelines,
): RunStage {
  const options = parseOptions(stage, {
    known: ['from', 'localField', 'foreignField', 'let', 'pipeline', 'as'],
    required: ['as'],
  });
  const path = pathOption(stage, options, 'as');
  const source = subpipelineSource(
    stage,
    { option: 'from', collection: options.from, pipeline: options.pipeline ?? [] },
    subpipelines,
  );
  const lookup: Lookup = {
    stage,
    source,
    expressions,
    inner: expressions.nested(),
    subpipelines,
    variables: parseVariables(stage, options.let),
  };
  // Compiles the stages before any data is read, so that errors are reported early.
  const run = subpipelines.compile(source.stages, lookup.inner);
  const hasFields = options.localField !== undefined || options.foreignField !== undefined;
  if (!hasFields && options.pipeline === undefined) {
    throw stageError(stage, 'it needs localField and foreignField, or a pipeline');
  }
  const makeJoin = (): Join =>
    hasFields
      ? joinByFields(lookup, options, source.stages.length === 0 ? undefined : run)
      : joinByPipeline(lookup);
  if (hasFields) {
    pathOption(stage, options, 'localField');
    pathOption(stage, options, 'foreignField');
  }
  return async function* (input) {
    const join = makeJoin();
    for await (const batch of input) {
      let ready: Document[] = [];
      let size = 0;
      let index = 0;
      for await (const joined of join(batch)) {
        ready.push(withValueAt(batch[index] ?? {}, path, joined));
        size += 1 + joined.length;
        index += 1;
        if (size >= MAX_JOINED_TOGETHER) {
          yield ready;
          ready = [];
          size = 0;
        }
      }
      if (ready.length > 0) yield ready;
    }
  };
}

function pathOption(stage: Stage, options: Document, name: string): string[] {
  const value = options[name];
  if (typeof value !== 'string') {
    throw stageError(stage, `${name} must be the name of a field`, { path: [name] });
  }
  return checked(stage, () => parseFieldPath(value));
}

function parseVariables(stage: Stage, spec: unknown = {}): Lookup['variables'] {
  return Object.entries(requireDocument(stage, spec, 'let')).map(([name, expression]) => {
    if (!VARIABLE_NAME.test(name)) {
      throw stageError(
        stage,
        `"${name}" cannot be the name of a variable: use letters, digits and _, and begin with a lowercase letter`,
        { path: ['let', name] },
      );
    }
    return [name, parseExpression(stage, expression)] as const;
  });
}

/** Sets the pipeline's variables from a document. */
function bindVariables(
  { stage, variables, expressions, inner }: Lookup,
  document: Document,
): readonly unknown[] {
  const values = checked(stage, () =>
    variables.map(([name, expression]) => [name, expressions.compute(document, expression)]),
  );
  inner.bind(expressions, Object.fromEntries(values) as Document);
  return values;
}

/** Returns the condition that a field has one of the values. */
function createEqualityCondition(field: string, values: readonly unknown[]): Document {
  // `$in` rejects documents whose members look like operators.
  const special = values.filter(hasOnlyOperators);
  const included = { [field]: { $in: values.filter((value) => !hasOnlyOperators(value)) } };
  const equal = special.map((value) => ({ [field]: { $eq: value } }));
  return special.length === 0 ? included : { $or: [included, ...equal] };
}

/**
 * Joins documents by equal fields. Reads the candidates for a batch in one step and then looks them
 * up by value.
 * @param run runs the pipeline on the matching documents; undefined if there is no pipeline.
 */
function joinByFields(lookup: Lookup, options: Document, run: RunStage | undefined): Join {
  const { stage, source, expressions } = lookup;
  const localPath = pathOption(stage, options, 'localField');
  const foreignPath = pathOption(stage, options, 'foreignField');
  const foreignField = foreignPath.join('.');
  const isWithout = expressions.test({ [foreignField]: null });
  return async function* (documents) {
    const locals = documents.map((document) => localValues(document, localPath));
    const distinctValues = new Map(locals.flat().map((value) => [toGroupKey(value), value]));
    const match = {
      ...stage,
      name: '$match',
      spec: createEqualityCondition(foreignField, [...distinctValues.values()]),
    };
    const foreign = await collect(source.read([match], expressions));
    const indexesByKey = new Map<string, number[]>();
    foreign.forEach((document, foreignIndex) => {
      for (const key of foreignKeys(document, foreignPath, isWithout)) {
        const there = indexesByKey.get(key);
        if (there === undefined) {
          indexesByKey.set(key, [foreignIndex]);
        } else {
          there.push(foreignIndex);
        }
      }
    });
    for (const [index, document] of documents.entries()) {
      const found = new Set(
        (locals[index] ?? []).flatMap((value) => indexesByKey.get(toGroupKey(value)) ?? []),
      );
      const matching = [...found]
        .sort((a, b) => a - b)
        .flatMap((foreignIndex): readonly Document[] =>
          foreign.slice(foreignIndex, foreignIndex + 1),
        );
      if (run === undefined) {
        yield matching;
      } else {
        bindVariables(lookup, document);
        yield await collect(run(toStream(matching)));
      }
    }
  };
}

/**
 * Returns the values that are used to join a document: each element of an array, or null if the
 * value is missing.
 */
function localValues(document: Document, path: readonly string[]): readonly unknown[] {
  const values = valuesAt(document, path);
  return values.length === 0
    ? [null]
    : values.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value ?? null]));
}

/**
 * Returns the keys for the values that can be used to find a document. For an array, also returns
 * the keys of its elements.
 */
function foreignKeys(
  document: Document,
  path: readonly string[],
  isWithout: (document: Document) => boolean,
): ReadonlySet<string> {
  const values = valuesAt(document, path).flatMap((value): unknown[] =>
    Array.isArray(value) ? [value, ...(value as unknown[])] : [value],
  );
  const keys = new Set(values.filter((value) => !isNullish(value)).map(toGroupKey));
  return isWithout(document) ? keys.add(toGroupKey(null)) : keys;
}

/**
 * Joins documents by a pipeline. Results that don't depend on the document are read once.
 * Otherwise, the database is queried once per document if it can execute all stages that depend on
 * the document.
 */
function joinByPipeline(lookup: Lookup): Join {
  const { source, inner, subpipelines } = lookup;
  const { stages } = source;
  const names = lookup.variables.map(([name]) => name);
  const depends = (stage: Stage): boolean => mentionsVariable(stage.spec, names);
  const dependent = stages.findIndex(depends);
  const shared = dependent === -1 ? stages : stages.slice(0, dependent);
  const run = subpipelines.compile(stages.slice(shared.length), inner);
  const results = new Map<string, readonly Document[]>();
  let read: readonly Document[] | undefined;
  const joinOne = async (document: Document): Promise<readonly Document[]> => {
    const values = bindVariables(lookup, document);
    if (dependent === -1) return (read ??= await collect(source.read(stages, inner)));
    const isPushed = source.isCollection && !subpipelines.leftAfterSql(stages, inner).some(depends);
    if (!isPushed) {
      read ??= await collect(source.read(shared, inner));
      return collect(run(toStream(read)));
    }
    const key = toGroupKey(values);
    const known = results.get(key) ?? (await collect(source.read(stages, inner)));
    if (results.size < MAX_CACHED_RESULTS) results.set(key, known);
    return known;
  };
  return async function* (documents) {
    for (const document of documents) {
      yield await joinOne(document);
    }
  };
}

function mentionsVariable(value: unknown, names: readonly string[]): boolean {
  if (typeof value === 'string') {
    return names.some((name) => value === `$$${name}` || value.startsWith(`$$${name}.`));
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).some((member) => mentionsVariable(member, names))
    : false;
}
