import {
  PAYLOAD,
  type QuerySchema,
  READINGS_TABLE,
  nearestField,
  pathExists,
  spellPath,
} from '../../schema/querySchema';
import type { Diagnostic, Fix } from '../languageFeatures';
import { nearestName } from '../../../../base/nearestName';
import { type QueryNames, readChain, readNames } from './sqlNames';
import { type Select, selectsWithin, type Source, type SqlQuery } from './sqlQuery';
import { isSymbol, getTokenName, type SqlToken } from '../../../model/sqlTokens';
import { ALIASES_AFTER_AS } from './sqlWords';

/**
 * Reports unknown tables, columns, and payload fields. Checks only direct references to the
 * readings, not names that the query itself defines or names from joined tables.
 */
export function checkNames(query: SqlQuery, schema: QuerySchema): Diagnostic[] {
  const selects = [...selectsWithin(query)];
  const names = readNames(query.tokens);
  const tables = selects
    .flatMap(({ sources }) => sources)
    .flatMap((source) => unknownTable(source, names.definedNames));
  if (tables.length > 0) return tables;
  const diagnosticByStart = new Map<number, Diagnostic>();
  for (const diagnostic of selects.flatMap((select) => checkAliases(select, names))) {
    diagnosticByStart.set(diagnostic.start, diagnostic);
  }
  for (const select of selects.filter(readsOnlyReadings)) {
    for (const diagnostic of checkSelect(select, schema, names)) {
      diagnosticByStart.set(diagnostic.start, diagnostic);
    }
  }
  return [...diagnosticByStart.values()];
}

function unknownTable({ table }: Source, cteNames: ReadonlySet<string>): Diagnostic[] {
  const name = getTokenName(table);
  if (table === undefined || name === undefined) return [];
  const isKnown = name.toLowerCase() === READINGS_TABLE || cteNames.has(name.toLowerCase());
  if (isKnown) return [];
  const fixes = [createReplacement(table, READINGS_TABLE)];
  return [{ rule: 'unknownTable', severity: 'error', subject: name, fixes, ...toSpan(table) }];
}

function readsOnlyReadings({ sources }: Select): boolean {
  const [source, another] = sources;
  return another === undefined && getTokenName(source?.table)?.toLowerCase() === READINGS_TABLE;
}

/** Reports aliases in a select list that DuckDB accepts only after AS. */
function checkAliases({ clauses }: Select, names: QueryNames): Diagnostic[] {
  return clauses.flatMap(({ name, keyword, tokens }) =>
    tokens.flatMap((token, index): Diagnostic[] => {
      const next = tokens[index + 1];
      const isLast = token.depth === keyword.depth && (next === undefined || isSymbol(next, ','));
      const isAlias = name === 'SELECT' && isLast && names.followsValue(token);
      if (!isAlias || token.kind !== 'word') return [];
      if (!ALIASES_AFTER_AS.has(token.text.toLowerCase())) return [];
      const fixes = [createReplacement(token, `AS ${token.text}`)];
      const { text: subject } = token;
      return [{ rule: 'aliasNeedsAs', severity: 'error', subject, fixes, ...toSpan(token) }];
    }),
  );
}

function checkSelect(select: Select, schema: QuerySchema, names: QueryNames): Diagnostic[] {
  const tokens = select.clauses.flatMap((clause) =>
    clause.name === 'FROM' || clause.name === 'USING' || clause.name === 'TABLESAMPLE'
      ? []
      : clause.tokens,
  );
  const inner = new Set(select.clauses.flatMap(({ tokens: own }) => findSubqueryTokens(own)));
  const tables = new Set([
    READINGS_TABLE,
    ...select.sources.flatMap(({ alias }) => alias?.toLowerCase() ?? []),
  ]);
  return tokens.flatMap((token, index) => {
    if (inner.has(token) || !names.isReference(token)) return [];
    return checkReference(tokens, index, { schema, definedNames: names.definedNames, tables });
  });
}

/** Returns the tokens of nested SELECTs in parentheses, which are checked separately. */
function findSubqueryTokens(tokens: readonly SqlToken[]): SqlToken[] {
  return tokens.flatMap((token, index) => {
    const isInner =
      isSymbol(token, '(') && /^(?:select|with|from)$/i.test(tokens[index + 1]?.text ?? '');
    if (!isInner) return [];
    const end = tokens.findIndex((other, at) => at > index && other.depth <= token.depth);
    return tokens.slice(index + 1, end === -1 ? undefined : end);
  });
}

interface Scope {
  readonly schema: QuerySchema;
  /** Names that the query defines, in lowercase. */
  readonly definedNames: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
}

function checkReference(
  tokens: readonly SqlToken[],
  index: number,
  { schema, definedNames, tables }: Scope,
): Diagnostic[] {
  const chain = readChain(tokens, index);
  const isQualified = chain.length > 1 && tables.has(chain[0]?.name.toLowerCase() ?? '');
  const [column, ...steps] = isQualified ? chain.slice(1) : chain;
  if (column === undefined) return [];
  const name = column.name.toLowerCase();
  const isColumn = schema.columns.some((known) => known.name === name);
  if (!isColumn && !definedNames.has(name) && !tables.has(name)) {
    const suggestion = nearestName(
      name,
      schema.columns.map((known) => known.name),
    );
    const fixes = suggestion === undefined ? [] : [createReplacement(column.token, suggestion)];
    const span = toSpan(column.token);
    return [{ rule: 'unknownColumn', severity: 'warning', subject: column.name, fixes, ...span }];
  }
  if (name !== PAYLOAD || definedNames.has(PAYLOAD) || steps.length === 0) return [];
  const path = steps.map((step) => step.name);
  if (!schema.isSampled || pathExists(schema, path)) return [];
  const last = steps.at(-1)?.token ?? column.token;
  const span = { start: (steps[0]?.token ?? column.token).start, end: last.end };
  const suggestion = nearestField(schema, path);
  const fixes = suggestion === undefined ? [] : [createReplacement(span, spellPath(suggestion))];
  const subject = [PAYLOAD, ...path].join('.');
  return [{ rule: 'unknownField', severity: 'information', subject, fixes, ...span }];
}

function toSpan({ start, end }: SqlToken): { start: number; end: number } {
  return { start, end };
}

function createReplacement({ start, end }: { start: number; end: number }, insert: string): Fix {
  return { kind: 'replace', subject: insert, edits: [{ start, end, insert }] };
}
