import type { Slot } from '../fillText';
import { isWord, type SqlToken, sqlTokens } from './sqlTokens';

const BRACED = /\{\{\s*([\p{L}_][\p{L}\p{N}_]*)\s*\}\}/gu;
const NUMBER = /^\d{1,15}$/;

/** The parameters of a query in SQL, where they stand. Within a text only those in braces are. */
export function sqlSlots(text: string): Slot[] {
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
  // A text between dollars has no way to write what would end it.
  if (text.startsWith('$')) return [];
  const write = text.startsWith("'") ? quotesDoubled : escaped;
  return [...text.matchAll(BRACED)].map((found) => ({
    name: found[1] ?? '',
    start: start + found.index,
    end: start + found.index + found[0].length,
    write,
  }));
}

/** A text that the database takes for a number, time and so on where one is wanted. */
function textLiteral(value: string): string {
  return `'${quotesDoubled(value)}'`;
}

function countLiteral(value: string): string {
  return NUMBER.test(value.trim()) ? value.trim() : textLiteral(value);
}

function quotesDoubled(value: string): string {
  // The engine takes a NUL for the end of the query.
  return value.replaceAll("'", "''").replaceAll('\0', '');
}

function escaped(value: string): string {
  return quotesDoubled(value.replaceAll('\\', '\\\\'));
}
