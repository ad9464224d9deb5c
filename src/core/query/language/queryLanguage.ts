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

/** A text that is being written. All places in it count UTF-16 code units. */
export interface WrittenQuery {
  readonly language: QueryLanguage;
  readonly text: string;
  /** Whether a pipeline is asked of recent data alone, which is its earliest time. */
  readonly recent?: boolean | undefined;
}

/** Texts beyond this are run as they are: looking at them with every key would hold up who writes. */
const LONGEST = 200_000;

/**
 * What may stand at a place. Pure and quick: it runs with every key.
 * @param explicit whether the person asked for it: otherwise nothing is said where nothing is begun.
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

/** What is wrong or doubtful, in the order of the text. An empty text is neither. */
export function check(
  { language, text, recent = false }: WrittenQuery,
  schema: QuerySchema,
): readonly Finding[] {
  if (text.length > LONGEST || text.trim() === '') return [];
  const read = { sql: checkSql, mql: checkMql }[language];
  const found = unlessTooDeep(() => read(text, schema, recent)) ?? [];
  return found.toSorted((a, b) => a.start - b.start);
}

/** What something can be said about at a place. */
export function hover(
  { language, text }: WrittenQuery,
  offset: number,
  schema: QuerySchema,
): Hovered | undefined {
  if (text.length > LONGEST) return undefined;
  const read = { sql: hoverSql, mql: hoverMql }[language];
  return unlessTooDeep(() => read(text, offset, schema));
}

/** Whether what stands before asks for a name: a dot, a quotation mark or a dollar. */
function isBegun(text: string, offset: number): boolean {
  return /[."$]/.test(text.slice(offset - 1, offset));
}

/** Of what is nested deeper than the stack goes nothing is said here: it is refused when it is run. */
function unlessTooDeep<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
