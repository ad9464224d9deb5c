import { getLocation, type Node, printParseErrorCode, stripComments } from 'jsonc-parser';
import type { QueryLanguage, TextSpan } from '../../model/query';
import { PAYLOAD, type QuerySchema, READINGS_TABLE } from '../schema/querySchema';
import { type Completions, type Diagnostic, type Hovered, noCompletions } from './languageFeatures';
import { completeMql } from './mql/completeMql';
import { completeSql } from './sql/completeSql';
import { MQL_STAGES } from './mql/mqlOperators';
import {
  getSpan,
  isInComment,
  type PartialPipeline,
  readPipeline,
  withoutParameters,
  type WrittenStage,
} from './mql/partialPipeline';
import { checkBounds } from './sql/checkBounds';
import { checkNames } from './sql/checkNames';
import { checkWriting } from './sql/checkWriting';
import { readQuery, splitStatements } from './sql/sqlQuery';
import { getTokenName, isSymbol, type SqlToken, sqlTokens } from '../../model/sqlTokens';
import { formatSignature, SQL_FUNCTIONS } from './sql/sqlWords';
import { nearestName } from '../../../base/nearestName';
import { checkGroups, checkMqlBounds } from './mql/checkMql';
import { checkMqlNames } from './mql/checkMqlNames';

/** Text of a query that the user is editing. All offsets are in UTF-16 code units. */
export interface WrittenQuery {
  readonly language: QueryLanguage;
  readonly text: string;
  /** True if a pipeline uses recent data only, which limits the time range. */
  readonly recent?: boolean | undefined;
}

/**
 * Maximum length of queries for which language features are available. Processing a longer query on
 * every keystroke would make typing slow.
 */
const MAX_QUERY_LENGTH = 200_000;

/**
 * Returns suggestions at an offset. Must be pure and fast, because it runs on every keystroke.
 * @param explicit true if the user requested suggestions; if false, returns no suggestions at
 *   positions without typed text.
 */
export function complete(
  { language, text }: WrittenQuery,
  offset: number,
  schema: QuerySchema,
  { explicit }: { readonly explicit: boolean },
): Completions {
  if (text.length > MAX_QUERY_LENGTH) return noCompletions(offset);
  const read = { sql: completeSql, mql: completeMql }[language];
  const found = unlessTooDeep(() => read(text, offset, schema)) ?? noCompletions(offset);
  return explicit || found.from < offset || isBegun(text, offset) ? found : noCompletions(offset);
}

/** Reports errors and warnings in text order. Reports none for empty text. */
export function check(
  { language, text, recent = false }: WrittenQuery,
  schema: QuerySchema,
): readonly Diagnostic[] {
  if (text.length > MAX_QUERY_LENGTH || text.trim() === '') return [];
  const read = { sql: checkSql, mql: checkMql }[language];
  const found = unlessTooDeep(() => read(text, schema, recent)) ?? [];
  return found.toSorted((a, b) => a.start - b.start);
}

/** Returns hover information at an offset. */
export function hover(
  { language, text }: WrittenQuery,
  offset: number,
  schema: QuerySchema,
): Hovered | undefined {
  if (text.length > MAX_QUERY_LENGTH) return undefined;
  const read = { sql: hoverSql, mql: hoverMql }[language];
  return unlessTooDeep(() => read(text, offset, schema));
}

/**
 * Returns true if the preceding text requires a name: a dot, a quotation mark, or a dollar sign.
 */
function isBegun(text: string, offset: number): boolean {
  return /[."$]/.test(text.slice(offset - 1, offset));
}

/**
 * Returns undefined for values that are nested too deeply for the call stack. Such values are
 * rejected when the query runs.
 */
function unlessTooDeep<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns hover information at an offset in a pipeline: for stages, operators, columns, and fields.
 */
function hoverMql(text: string, offset: number, schema: QuerySchema): Hovered | undefined {
  const plain = withoutParameters(text);
  if (isInComment(plain, offset)) return undefined;
  const node = getLocation(plain, offset).previousNode;
  if (node === undefined || offset >= node.offset + node.length) return undefined;
  const value: unknown = node.value;
  if (typeof value !== 'string') return undefined;
  const span = { start: node.offset, end: node.offset + node.length };
  if (MQL_STAGES.some(({ name }) => name === value)) return { kind: 'stage', name: value, ...span };
  const [column = '', ...path] = value.replace(/^\$/, '').split('.');
  const known = schema.columns.find(({ name }) => name === column);
  if (known === undefined) {
    return /^\$[^$]/.test(value) ? { kind: 'operator', name: value, ...span } : undefined;
  }
  if (path.length === 0) return { kind: 'column', name: column, detail: known.sqlType, ...span };
  const field = schema.fields.find((one) => one.path.join('.') === path.join('.'));
  return column === PAYLOAD && field
    ? { kind: 'field', name: [PAYLOAD, ...path].join('.'), detail: field.type, ...span }
    : undefined;
}

/**
 * Reports errors and warnings in SQL queries. If a query can't be parsed, checks only its syntax,
 * because the database parses its own language more reliably and reports other errors when the
 * query runs.
 */
function checkSql(text: string, schema: QuerySchema): Diagnostic[] {
  const tokens = sqlTokens(text);
  const statements = splitStatements(tokens);
  const broken = checkWriting(tokens, statements);
  if (broken.length > 0) return broken;
  const [, second] = statements;
  return [
    ...(second === undefined ? [] : [severalStatements(second)]),
    ...statements
      .map(readQuery)
      .flatMap((query) => [...checkBounds(query, text), ...checkNames(query, schema)]),
  ];
}

/**
 * Reports a second statement, because only one statement can run at a time. Not used for editors
 * that run each statement separately.
 */
function severalStatements(second: readonly SqlToken[]): Diagnostic {
  const [start, end] = [second[0]?.start ?? 0, second.at(-1)?.end ?? 0];
  return { rule: 'severalStatements', severity: 'error', subject: '', fixes: [], start, end };
}

/**
 * Returns hover information at an offset: for the table, its columns, payload fields, and
 * functions.
 */
function hoverSql(text: string, offset: number, schema: QuerySchema): Hovered | undefined {
  const tokens = sqlTokens(text).filter(({ kind }) => kind !== 'comment');
  const index = tokens.findIndex(({ start, end }) => start <= offset && offset < end);
  const token = tokens[index];
  const name = getTokenName(token);
  if (token === undefined || name === undefined) return undefined;
  const { start, end } = token;
  const plain = name.toLowerCase();
  if (isSymbol(tokens[index + 1], '(')) {
    const known = SQL_FUNCTIONS.find((one) => one.name === plain);
    return known && { kind: 'function', name: plain, start, end, detail: formatSignature(known) };
  }
  const path = pathTo(tokens, index);
  if (path !== undefined) {
    const field = schema.fields.find((one) => one.path.join('\0') === path.join('\0'));
    return (
      field && { kind: 'field', name: [PAYLOAD, ...path].join('.'), start, end, detail: field.type }
    );
  }
  const column = schema.columns.find((one) => one.name === plain);
  if (column) return { kind: 'column', name: plain, start, end, detail: column.sqlType };
  return plain === READINGS_TABLE ? { kind: 'table', name: plain, start, end } : undefined;
}

/**
 * Returns the path from the payload to the name at an offset; undefined if the name isn't part of a
 * path.
 */
function pathTo(tokens: readonly SqlToken[], index: number): readonly string[] | undefined {
  const names: string[] = [];
  let at = index;
  for (; isSymbol(tokens[at - 1], '.'); at -= 2) names.unshift(getTokenName(tokens[at]) ?? '');
  return getTokenName(tokens[at])?.toLowerCase() === PAYLOAD && at < index
    ? names
    : withoutTable(names);
}

/** Returns the path without its table: in `r.data.readings.speed`, `r` is the table. */
function withoutTable([first, ...rest]: readonly string[]): readonly string[] | undefined {
  return first?.toLowerCase() === PAYLOAD && rest.length > 0 ? rest : undefined;
}

/**
 * Reports errors and warnings in a pipeline. If the pipeline can't be parsed, reports only the
 * syntax error.
 * @param recent true if the query uses recent data only
 */
function checkMql(text: string, schema: QuerySchema, recent: boolean): Diagnostic[] {
  const pipeline = readPipeline(text);
  const broken = checkForm(text, pipeline);
  if (broken.length > 0) return broken;
  const stages = pipeline.items.flatMap(({ stage }) => stage ?? []);
  const names = stages.map(({ name }) => name);
  if (names.some((name) => !MQL_STAGES.some((known) => known.name === name))) {
    return stages.flatMap(checkStageName);
  }
  return [
    ...checkMqlNames(stages, schema),
    ...checkGroups(stages),
    ...checkMqlBounds(text, pipeline, stages, recent),
  ];
}

function checkForm(text: string, { root, errors, items }: PartialPipeline): Diagnostic[] {
  // The text contains only comments.
  if (stripComments(text).trim() === '') return [];
  if (errors.length > 0) {
    // One error can cause the parser to report further errors, so only the first error is reliable.
    const [{ error, offset, length } = { error: 1, offset: 0, length: 0 }] = errors;
    const start = length > 0 ? offset : Math.max(0, Math.min(offset, text.trimEnd().length - 1));
    const subject = printParseErrorCode(error);
    const end = Math.max(start + 1, offset + length);
    return [{ rule: 'notJson', severity: 'error', subject, fixes: [], start, end }];
  }
  if (root === undefined) return [];
  if (root.type !== 'array') return [notPipeline(text, root)];
  return items.flatMap(({ node, stage }) =>
    stage
      ? []
      : [{ rule: 'notStage', severity: 'error', subject: '', fixes: [], ...getSpan(node) }],
  );
}

function notPipeline(text: string, root: Node): Diagnostic {
  const { start, end } = getSpan(root);
  const insert = `[${text.slice(start, end)}]`;
  const fixes =
    root.type === 'object'
      ? [{ kind: 'replace' as const, subject: '[ … ]', edits: [{ start, end, insert }] }]
      : [];
  return { rule: 'notPipeline', severity: 'error', subject: '', fixes, start, end };
}

function checkStageName({ name, nameNode }: WrittenStage): Diagnostic[] {
  const names = MQL_STAGES.map((known) => known.name);
  if (names.includes(name)) return [];
  const suggestion = nearestName(name, names);
  const span = getSpan(nameNode);
  const edits = [{ ...span, insert: JSON.stringify(suggestion) }];
  const fixes =
    suggestion === undefined ? [] : [{ kind: 'replace' as const, subject: suggestion, edits }];
  return [{ rule: 'unknownStage', severity: 'error', subject: name, fixes, ...span }];
}

/**
 * Splits text into queries that run separately: SQL statements without their separators. A pipeline
 * is always one query, which includes all surrounding text.
 */
export function statementsIn(language: QueryLanguage, text: string): readonly TextSpan[] {
  if (text.trim() === '') return [];
  if (language === 'mql') return [{ start: 0, end: text.length }];
  return splitStatements(sqlTokens(text)).map((tokens) => ({
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
  }));
}

/**
 * Returns the query at an offset or directly before it. If there is no such query, returns the
 * closest preceding query; if no query precedes the offset, returns the first query.
 */
export function statementAt(statements: readonly TextSpan[], offset: number): TextSpan | undefined {
  return statements.findLast(({ start }) => start <= offset) ?? statements[0];
}
