import type { TextSpan } from '../../model/query';
import type { Edit } from './languageFeatures';

/** Parameter position in a query. */
export interface Slot extends TextSpan {
  readonly name: string;
  /** Formats a value for this position. */
  readonly write: (value: string) => string;
}

export interface FilledText {
  readonly text: string;
  /**
   * Maps an offset in the filled text to the original text. An offset in a value maps to the start
   * of its parameter. For an offset at the edge of a value, `side` can select the end.
   */
  readonly mapOffset: (offset: number, side?: 'start' | 'end') => number;
}

/** Applies edits that don't overlap, and records how they change offsets. */
export function fillText(text: string, edits: readonly Edit[]): FilledText {
  const ordered = edits.toSorted((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, insert } of ordered) {
    parts.push(text.slice(at, start), insert);
    at = end;
  }
  return {
    text: [...parts, text.slice(at)].join(''),
    mapOffset: (offset, side = 'start') => toOriginalOffset(ordered, offset, side),
  };
}

function toOriginalOffset(edits: readonly Edit[], offset: number, side: 'start' | 'end'): number {
  let shift = 0;
  for (const { start, end, insert } of edits) {
    const from = start + shift;
    const to = from + insert.length;
    if (offset < from || (offset === from && side === 'end')) break;
    if (offset < to || (offset === to && side === 'end')) return side === 'end' ? end : start;
    shift += insert.length - (end - start);
  }
  return offset - shift;
}

const TOKEN =
  /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|\{\{\s*[\p{L}_][\p{L}\p{N}_]*\s*\}\}/gu;
const BRACED = /\{\{\s*([\p{L}_][\p{L}\p{N}_]*)\s*\}\}/gu;
/** Pattern for the text before a value that must be a number. */
const BEFORE_COUNT = /"(?:\$limit|\$skip|size)"\s*:\s*$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Returns a pipeline's parameters and their positions. Parameters can be inside strings, or outside
 * strings as values.
 */
export function mqlSlots(text: string): Slot[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }): Slot[] => {
    const slots = [...token.matchAll(BRACED)].map((found) => ({
      name: found[1] ?? '',
      start: index + found.index,
      end: index + found.index + found[0].length,
    }));
    if (token.startsWith('{')) return slots.map((slot) => ({ ...slot, write: valueLiteral }));
    if (!token.startsWith('"')) return [];
    const [only] = slots;
    const isWhole = only !== undefined && only.end - only.start === token.length - 2;
    return isWhole && BEFORE_COUNT.test(text.slice(0, index))
      ? [{ name: only.name, start: index, end: index + token.length, write: valueLiteral }]
      : slots.map((slot) => ({ ...slot, write: escapeJsonString }));
  });
}

/** Returns the parameters that are outside of strings. */
export function bareParameters(text: string): TextSpan[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }) =>
    token.startsWith('{') ? [{ start: index, end: index + token.length }] : [],
  );
}

function escapeJsonString(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function valueLiteral(value: string): string {
  const trimmed = value.trim();
  return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) ? trimmed : JSON.stringify(value);
}
