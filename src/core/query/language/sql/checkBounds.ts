import { READINGS_TABLE, TIME_COLUMN } from '../../schema/querySchema';
import type { Edit, Diagnostic, Fix } from '../languageFeatures';
import {
  type Clause,
  type ClauseName,
  type Select,
  selectsWithin,
  type SqlQuery,
} from './sqlQuery';
import { isSymbol, isWord, getTokenName, type SqlToken } from '../../../model/sqlTokens';

/** Row limit that a quick fix adds to a query. */
const LIMIT = 1000;
const TIME_BOUND = `${TIME_COLUMN} >= now() - INTERVAL 1 DAY`;

/** Functions that aggregate many rows into one value. */
const AGGREGATES =
  /^(?:count|sum|avg|mean|min|max|median|mode|stddev(?:_pop|_samp)?|variance|var(?:_pop|_samp)|quantile\w*|approx_\w+|arg_?(?:min|max)|first|last|any_value|list|array_agg|string_agg|bool_(?:and|or)|corr|covar_\w+|regr_\w+|histogram|kurtosis|skewness|entropy|product|min_by|max_by|mad|bit_(?:and|or|xor)|fsum|favg|sem|geomean|count_if|group_concat|listagg)$/i;

/** Reports queries that probably select more than the user intended: all rows, or all times. */
export function checkBounds(query: SqlQuery, text: string): Diagnostic[] {
  const withoutTime = [...selectsWithin(query)].flatMap((select) =>
    select.sources.some(isReadings) && !boundsTime(select, query)
      ? [noLowerTimeBound(select, text)]
      : [],
  );
  return [...withoutTime, ...(isWide(query, query.named) ? [noLimit(query, text)] : [])];
}

function isReadings({ table }: { table?: SqlToken | undefined }): boolean {
  return getTokenName(table)?.toLowerCase() === READINGS_TABLE;
}

/** Returns true if the query can return all readings, with one row for each reading. */
function isWide({ selects, named }: SqlQuery, outer: SqlQuery['named']): boolean {
  const known = new Map([...outer, ...named]);
  if (selects.some((select) => has(select, 'LIMIT') || has(select, 'USING'))) return false;
  return selects.some((select) => {
    if (has(select, 'GROUP') || has(select, 'TABLESAMPLE') || isAggregated(select)) return false;
    return select.sources.some((source) => {
      if (source.query) return isWide(source.query, known);
      const table = getTokenName(source.table)?.toLowerCase() ?? '';
      const inner = known.get(table);
      // A recursive table refers to itself, so it must be excluded.
      const others = new Map([...known].filter(([name]) => name !== table));
      return inner ? isWide(inner, others) : isReadings(source);
    });
  });
}

function isAggregated(select: Select): boolean {
  const list = findClause(select, 'SELECT')?.tokens ?? [];
  if (isWord(list[0], 'DISTINCT')) return true;
  const depth = list[0]?.depth ?? 0;
  return list.some(
    (token, index) =>
      token.kind === 'word' &&
      AGGREGATES.test(token.text) &&
      isSymbol(list[index + 1], '(') &&
      !isWindow(list, index + 1, depth),
  );
}

/**
 * Returns true if OVER follows a function call, in which case the call has a value for each row.
 */
function isWindow(tokens: readonly SqlToken[], open: number, depth: number): boolean {
  const bracket = tokens[open]?.depth ?? depth;
  const close = tokens.findIndex((token, index) => index > open && token.depth <= bracket);
  let after = close + 1;
  if (close !== -1 && isWord(tokens[after], 'FILTER')) {
    after = tokens.findIndex((token, at) => at > after + 1 && token.depth <= bracket) + 1;
  }
  return close !== -1 && isWord(tokens[after], 'OVER');
}

/** Returns true if any condition limits the time with more than just an upper bound. */
function boundsTime(select: Select, query: SqlQuery): boolean {
  const conditions = [
    ...(['WHERE', 'QUALIFY'] as const).flatMap((name) => findClause(select, name)?.tokens ?? []),
    // Includes the conditions of joins and of outer queries.
    ...(findClause(select, 'FROM')?.tokens ?? []),
    ...(query.selects.includes(select)
      ? []
      : query.selects.flatMap((outer) => findClause(outer, 'WHERE')?.tokens ?? [])),
  ];
  return conditions.some((token, index) => {
    if (getTokenName(token)?.toLowerCase() !== TIME_COLUMN) return false;
    const before = beforeName(conditions, index);
    const isUpper = isSymbol(conditions[index + 1], '<', '<=') || isSymbol(before, '>', '>=');
    return !isUpper;
  });
}

/** Returns the token before a name and the qualifier of its table. */
function beforeName(tokens: readonly SqlToken[], index: number): SqlToken | undefined {
  return isSymbol(tokens[index - 1], '.') ? tokens[index - 3] : tokens[index - 1];
}

function noLowerTimeBound(select: Select, text: string): Diagnostic {
  const table = select.sources.find(isReadings)?.table;
  const [start, end] = [table?.start ?? 0, table?.end ?? 0];
  const fix: Fix = {
    kind: 'addTimeBound',
    subject: TIME_BOUND,
    edits: timeBoundEdits(select, text),
  };
  return {
    rule: 'noLowerTimeBound',
    severity: 'warning',
    subject: TIME_COLUMN,
    start,
    end,
    fixes: [fix],
  };
}

function timeBoundEdits(select: Select, text: string): Edit[] {
  const where = findClause(select, 'WHERE');
  const from = findClause(select, 'FROM');
  const [first, last] = [where?.tokens[0], where?.tokens.at(-1)];
  const bound = getTimeBound(select);
  if (where === undefined || first === undefined || last === undefined) {
    const at = (where?.keyword ?? from?.tokens.at(-1))?.end ?? 0;
    return [
      { start: at, end: at, insert: `${where ? '' : `${spaceBefore(from, text)}WHERE`} ${bound}` },
    ];
  }
  const { depth } = where.keyword;
  const isEither = where.tokens.some((token) => token.depth === depth && isWord(token, 'OR'));
  return [
    { start: first.start, end: first.start, insert: `${bound} AND ${isEither ? '(' : ''}` },
    ...(isEither ? [{ start: last.end, end: last.end, insert: ')' }] : []),
  ];
}

/**
 * Returns the condition that limits the time. In a join, the time column must be qualified with its
 * table.
 */
function getTimeBound({ sources }: Select): string {
  const [one, another] = sources;
  if (one === undefined || another === undefined) return TIME_BOUND;
  return `${sources.find(isReadings)?.alias ?? READINGS_TABLE}.${TIME_BOUND}`;
}

function noLimit({ selects, tokens }: SqlQuery, text: string): Diagnostic {
  const last = selects.at(-1);
  const keyword =
    selects[0] && (findClause(selects[0], 'SELECT') ?? selects[0].clauses[0])?.keyword;
  const at = findClause(last, 'OFFSET')?.keyword.start ?? tokens.at(-1)?.end ?? 0;
  const isBefore = findClause(last, 'OFFSET') !== undefined;
  const insert = isBefore
    ? `LIMIT ${String(LIMIT)} `
    : `${spaceBefore(findClause(last, 'FROM'), text)}LIMIT ${String(LIMIT)}`;
  const edits = [{ start: at, end: at, insert }];
  const anchor = keyword ?? tokens[0];
  return {
    rule: 'noLimit',
    severity: 'warning',
    subject: '',
    start: anchor?.start ?? 0,
    end: anchor?.end ?? 0,
    fixes: [{ kind: 'addLimit', subject: String(LIMIT), edits }],
  };
}

/** Returns the separator before a clause: a line break with its indentation, or a space. */
function spaceBefore(clause: Clause | undefined, text: string): string {
  return /\r?\n[ \t]*$/.exec(text.slice(0, clause?.keyword.start ?? 0))?.[0] ?? ' ';
}

function has(select: Select, name: ClauseName): boolean {
  return findClause(select, name) !== undefined;
}

function findClause(select: Select | undefined, name: ClauseName): Clause | undefined {
  return select?.clauses.find((clause) => clause.name === name);
}
