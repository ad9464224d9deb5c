import { getLocation, type JSONPath } from 'jsonc-parser';
import { PAYLOAD, type QuerySchema } from '../../schema/querySchema';
import {
  type Completion,
  type CompletionKind,
  type Completions,
  noCompletions,
} from '../languageFeatures';
import {
  ACCUMULATORS,
  CONDITION_JOINS,
  CONDITION_OPERATORS,
  EXPRESSIONS,
  EXTENDED_JSON,
  isSubpipeline,
  MQL_STAGES,
  type MqlOperator,
  VARIABLES,
  WINDOW_OPERATORS,
} from './mqlOperators';
import {
  findCursor,
  isInComment,
  isKeyBefore,
  type MqlCursor,
  withoutParameters,
} from './partialPipeline';

/** Returns suggestions at an offset in a pipeline: stages, operators, fields, and values. */
export function completeMql(text: string, offset: number, schema: QuerySchema): Completions {
  const plain = withoutParameters(text);
  if (isInComment(plain, offset)) return noCompletions(offset);
  const { path: whole, isAtPropertyKey } = getLocation(plain, offset);
  const path = innermostPath(whole);
  const cursor = findCursor(plain, offset);
  const options = isAtPropertyKey
    ? keysAt(path, schema).map((option) => asKey(option, cursor))
    : valuesAt(path, plain, offset, schema).flatMap((option) => asValue(option, cursor));
  return { from: cursor.from, ...(cursor.to > offset && { to: cursor.to }), options };
}

/** Converts a path so that it is relative to the innermost pipeline. */
function innermostPath([cursor, stage, ...path]: JSONPath): JSONPath {
  const inner = path.slice(1);
  return inner.length > 0 && isSubpipeline(String(stage), path.slice(0, 1))
    ? innermostPath(inner)
    : [cursor, stage, ...path].filter((step) => step !== undefined);
}

/** Suggestion for a value, or for a key with the text after it. */
interface Option {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
  /** Text after a key, as a snippet. For a value other than a string, the value itself. */
  readonly snippet?: string;
}

function keysAt(path: JSONPath, schema: QuerySchema): readonly Option[] {
  const [cursor, stage, ...within] = path.slice(0, -1);
  if (typeof cursor !== 'number') return [];
  if (stage === undefined) {
    return MQL_STAGES.map((known) => ({ ...operator(known), kind: 'stage' }));
  }
  const names = within.filter((step): step is string => typeof step === 'string');
  if (names.includes('$expr')) return EXPRESSIONS.map(operator);
  if (stage === '$match') return conditionKeys(names, schema);
  if (names.length === 0) return stageKeys(String(stage), schema);
  return expressionKeys(String(stage), names, schema);
}

function conditionKeys(names: readonly string[], schema: QuerySchema): readonly Option[] {
  const [field] = names.filter((name) => !['$and', '$or', '$nor', '$not'].includes(name));
  if (field === undefined) return [...fields(schema, '{ $0 }'), ...CONDITION_JOINS.map(operator)];
  return [...CONDITION_OPERATORS, ...EXTENDED_JSON].map(operator);
}

/** Returns a stage's top-level keys. */
function stageKeys(stage: string, schema: QuerySchema): readonly Option[] {
  switch (stage) {
    case '$sort':
      return fields(schema, '${1:-1}');
    case '$project':
      return fields(schema, '${1:1}');
    case '$group':
      return [{ label: '_id', kind: 'field', snippet: '"\\$${1:part_id}"' }];
    case '$addFields':
    case '$set':
      return fields(schema, '$0');
    case '$replaceWith':
    case '$sortByCount':
    case '$redact':
      return EXPRESSIONS.map(operator);
    default:
      return (OPTIONS_OF.get(stage) ?? []).map((label) => ({
        label,
        kind: 'field',
        snippet: '$0',
      }));
  }
}

/** Option names for each stage that has named options. */
const OPTIONS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    $bucket: ['groupBy', 'boundaries', 'default', 'output'],
    $bucketAuto: ['groupBy', 'buckets', 'output', 'granularity'],
    $densify: ['field', 'range', 'partitionByFields'],
    $fill: ['sortBy', 'output', 'partitionBy', 'partitionByFields'],
    $lookup: ['from', 'localField', 'foreignField', 'let', 'pipeline', 'as'],
    $unionWith: ['coll', 'pipeline'],
    $geoNear: ['near', 'distanceField', 'spherical', 'maxDistance', 'minDistance', 'key', 'query'],
    $replaceRoot: ['newRoot'],
    $sample: ['size'],
    $setWindowFields: ['partitionBy', 'sortBy', 'output'],
    $unwind: ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'],
  }),
);

/** Names in nested options, by stage and by the last part of their path. */
const NESTED_OPTIONS: readonly (readonly [
  stage: string,
  depth: number,
  last: string | undefined,
  names: Readonly<Record<string, string>>,
])[] = [
  [
    ...(['$densify', 1, 'range'] as const),
    { step: '${1:1}', unit: '"${1:minute}"', bounds: '"${1:full}"' },
  ],
  ['$fill', 2, undefined, { method: '"${1:locf}"', value: '${1:0}' }],
  [
    ...(['$setWindowFields', 3, 'window'] as const),
    { documents: '[${1:-10}, ${2:0}]', range: '[${1:-1}, ${2:0}]', unit: '"${1:minute}"' },
  ],
];

function nestedOptions(stage: string, names: readonly string[]): readonly Option[] | undefined {
  const options = NESTED_OPTIONS.find(
    ([name, depth, last]) =>
      name === stage && depth === names.length && (last === undefined || last === names.at(-1)),
  );
  return (
    options &&
    Object.entries(options[3]).map(([label, snippet]) => ({ label, kind: 'field', snippet }))
  );
}

function expressionKeys(
  stage: string,
  names: readonly string[],
  schema: QuerySchema,
): readonly Option[] {
  const options = nestedOptions(stage, names);
  if (options !== undefined) return options;
  if (names.length === 1 && names[0] === 'sortBy') return fields(schema, '${1:1}');
  const isField = names.length === 1 && names[0] !== '_id';
  if (stage === '$group' && isField) return ACCUMULATORS.map(operator);
  const isOutput = names[0] === 'output' && names.length === 2;
  if (stage === '$setWindowFields' && isOutput) {
    return [
      ...[...ACCUMULATORS, ...WINDOW_OPERATORS].map(operator),
      { label: 'window', kind: 'field', snippet: '{ "documents": [${1:-10}, ${2:0}] }' },
    ];
  }
  if (stage.startsWith('$bucket') && isOutput) return ACCUMULATORS.map(operator);
  return EXPRESSIONS.map(operator);
}

function valuesAt(
  path: JSONPath,
  text: string,
  offset: number,
  schema: QuerySchema,
): readonly Option[] {
  const [cursor, stage] = path;
  if (path.length <= 1) return stage === undefined && isInList(text, path) ? stageObjects() : [];
  if (typeof cursor !== 'number') return [];
  const last = path.findLast((step) => typeof step === 'string');
  const isCondition = stage === '$match' && !path.includes('$expr');
  if (isCondition) return listColumnValues(path, schema);
  if (stage === '$unset') return fields(schema);
  if (stage === '$sort' || stage === '$project') return ordersAnd(last, schema);
  if (stage === '$limit' || stage === '$skip' || stage === '$count') return [];
  return [...references(schema), ...VARIABLES.map((label) => ({ label, kind: 'value' as const }))];
}

/** Returns values that occur in the column to which a condition applies. */
function listColumnValues(path: JSONPath, schema: QuerySchema): readonly Option[] {
  const column = path.find((step) => typeof step === 'string' && schema.values.has(step));
  const known = column === undefined ? [] : (schema.values.get(String(column)) ?? []);
  return known.map((label) => ({ label, kind: 'value' }));
}

function ordersAnd(last: unknown, schema: QuerySchema): readonly Option[] {
  if (last === '$sort') return [];
  return [
    ...['1', '-1'].map((label) => ({ label, kind: 'value' as const, snippet: label })),
    ...references(schema),
  ];
}

function isInList(text: string, path: JSONPath): boolean {
  return path.length === 1 || /^\s*\[/.test(text);
}

/** Returns complete stages, for positions without a stage. */
function stageObjects(): readonly Option[] {
  return MQL_STAGES.map(({ name, snippet }) => ({
    label: name,
    kind: 'stage',
    snippet: `{ "\\${name}": ${snippet} }`,
  }));
}

function operator({ name, snippet }: MqlOperator): Option {
  return { label: name, kind: 'operator', snippet };
}

/** Returns the paths of columns and of payload fields. */
function fields({ columns, fields: known }: QuerySchema, snippet?: string): readonly Option[] {
  return [
    ...columns.map(({ name, sqlType }) => ({
      label: name,
      kind: 'column' as const,
      detail: sqlType,
    })),
    ...known.map(({ path, type }) => ({
      label: [PAYLOAD, ...path].join('.'),
      kind: 'field' as const,
      detail: type,
    })),
  ].map((option) => ({ ...option, ...(snippet !== undefined && { snippet }) }));
}

function references(schema: QuerySchema): readonly Option[] {
  return fields(schema).map((option) => ({ ...option, label: `$${option.label}` }));
}

function asKey({ label, kind, detail, snippet }: Option, cursor: MqlCursor): Completion {
  const shown = { label, kind, ...(detail !== undefined && { detail }) };
  const open = cursor.isQuoted ? '' : '"';
  const key = JSON.stringify(label).slice(1, -1);
  if (isKeyBefore(cursor)) return { ...shown, insert: `${open}${key}"` };
  // Names of fields come from machines, and must not be interpreted as variables of a snippet.
  const name = key.replaceAll(/[\\$}]/g, '\\$&');
  return { ...shown, insert: `${open}${name}": ${snippet ?? '$0'}`, isSnippet: true };
}

function asValue({ label, kind, detail, snippet }: Option, cursor: MqlCursor): Completion[] {
  const shown = { label, kind, ...(detail !== undefined && { detail }) };
  // Only a string can be inserted within quotation marks.
  if (snippet !== undefined) {
    return cursor.isQuoted ? [] : [{ ...shown, insert: snippet, isSnippet: true }];
  }
  const text = JSON.stringify(label);
  return [{ ...shown, insert: cursor.isQuoted ? text.slice(1) : text }];
}
