import type { QueryLanguage } from '../../model/query';
import { type FilledText, fillText, mqlSlots, type Slot } from './parameterSlots';
import { isWord, type SqlToken, sqlTokens } from '../../model/sqlTokens';

/** Query text in which the parameters are replaced with their values. */
export interface FilledQuery extends FilledText {
  /** Parameters without a value, in order of appearance. They remain unchanged in the text. */
  readonly missing: readonly string[];
}

/**
 * Returns the distinct names of a query's parameters, in order of appearance: `:part_id` and
 * `{{part_id}}` in SQL, `{{part_id}}` in pipelines. Ignores comments, and casts such as `::date`.
 */
export function listParameters(language: QueryLanguage, text: string): readonly string[] {
  return [...new Set(findSlots(language, text).map(({ name }) => name))];
}

/**
 * Replaces a query's parameters with their values. Each value becomes a string or number in the
 * query language, regardless of its content, so it can't change the query itself.
 */
export function fillParameters(
  language: QueryLanguage,
  text: string,
  values: Readonly<Record<string, string>>,
): FilledQuery {
  const slots = findSlots(language, text);
  const known = slots.filter(({ name }) => Object.hasOwn(values, name));
  const missing = slots.filter((slot) => !known.includes(slot)).map(({ name }) => name);
  return {
    ...fillText(
      text,
      known.map((slot) => ({ ...slot, insert: slot.write(values[slot.name] ?? '') })),
    ),
    missing: [...new Set(missing)],
  };
}

function findSlots(language: QueryLanguage, text: string): readonly Slot[] {
  return language === 'sql' ? sqlSlots(text) : mqlSlots(text);
}

const BRACED = /\{\{\s*([\p{L}_][\p{L}\p{N}_]*)\s*\}\}/gu;
const NUMBER = /^\d{1,15}$/;

/**
 * Returns an SQL query's parameters and their positions. In a string, recognizes only parameters in
 * braces.
 */
function sqlSlots(text: string): Slot[] {
  const tokens = sqlTokens(text);
  return tokens.flatMap((token, index): Slot[] => {
    if (token.kind === 'text') return slotsWithin(token);
    if (token.kind !== 'parameter') return [];
    const name = /[\p{L}_][\p{L}\p{N}_]*/u.exec(token.text)?.[0] ?? '';
    const counts = isWord(tokens[index - 1], 'LIMIT', 'OFFSET');
    const write = counts ? countLiteral : textLiteral;
    return [{ name, start: token.start, end: token.end, write }];
  });
}

function slotsWithin({ text, start }: SqlToken): Slot[] {
  // A dollar-quoted string has no escape sequence for its closing quote, so values can't be
  // inserted safely.
  if (text.startsWith('$')) return [];
  const write = text.startsWith("'") ? quotesDoubled : escaped;
  return [...text.matchAll(BRACED)].map((found) => ({
    name: found[1] ?? '',
    start: start + found.index,
    end: start + found.index + found[0].length,
    write,
  }));
}

/**
 * Formats a value as a string literal, which the database converts to a number, time, or other type
 * if necessary.
 */
function textLiteral(value: string): string {
  return `'${quotesDoubled(value)}'`;
}

function countLiteral(value: string): string {
  return NUMBER.test(value.trim()) ? value.trim() : textLiteral(value);
}

function quotesDoubled(value: string): string {
  // The engine treats NUL as the end of the query.
  return value.replaceAll("'", "''").replaceAll('\0', '');
}

function escaped(value: string): string {
  return quotesDoubled(value.replaceAll('\\', '\\\\'));
}
