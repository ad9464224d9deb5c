import type { TextSpan } from '../../model/query';
import type { Edit } from './finding';

/** Position of a parameter in a query. */
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
