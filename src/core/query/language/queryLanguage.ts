import type { QueryLanguage } from '../../model/query';
import type { QuerySchema } from '../schema/querySchema';
import { type Completions, type Hovered, noCompletions } from './completion';
import type { Finding } from './finding';
import { checkMql } from './mql/checkMql';
import { completeMql } from './mql/completeMql';
import { hoverMql } from './mql/hoverMql';
import { checkSql } from './sql/checkSql';
import { completeSql } from './sql/completeSql';
import { hoverSql } from './sql/hoverSql';

/** Text of a query that the user is editing. All offsets are in UTF-16 code units. */
export interface WrittenQuery {
  readonly language: QueryLanguage;
  readonly text: string;
  /** True if a pipeline uses recent data only, which limits the time range. */
  readonly recent?: boolean | undefined;
}

/**
 * Maximum length of texts for which language features are available. Processing a longer text on
 * every keystroke would make typing slow.
 */
const LONGEST = 200_000;

/**
 * Returns suggestions at an offset. Must be pure and fast, because it runs on every keystroke.
 * @param explicit true if the user requested suggestions; otherwise, returns none at positions
 *   without typed text.
 */
export function complete(
  { language, text }: WrittenQuery,
  offset: number,
  schema: QuerySchema,
  { explicit }: { readonly explicit: boolean },
): Completions {
  if (text.length > LONGEST) return noCompletions(offset);
  const read = { sql: completeSql, mql: completeMql }[language];
  const found = unlessTooDeep(() => read(text, offset, schema)) ?? noCompletions(offset);
  return explicit || found.from < offset || isBegun(text, offset) ? found : noCompletions(offset);
}

/** Reports errors and warnings in the order of the text. Reports none for an empty text. */
export function check(
  { language, text, recent = false }: WrittenQuery,
  schema: QuerySchema,
): readonly Finding[] {
  if (text.length > LONGEST || text.trim() === '') return [];
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
  if (text.length > LONGEST) return undefined;
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
