import type { TextSpan } from '../../model/query';
import type { Edit } from './finding';

/** A place of a query where the value of a parameter goes. */
export interface Slot extends TextSpan {
  readonly name: string;
  /** The value as it is written at this place. */
  readonly write: (value: string) => string;
}

export interface FilledText {
  readonly text: string;
  /**
   * The place in the text as it was written of a place in the filled one. What is within a value is at the start
   * of its parameter; `side` tells which end is meant where a place is at the edge of one.
   */
  readonly placeOf: (offset: number, side?: 'start' | 'end') => number;
}

/** Makes edits that do not overlap, and remembers where everything was. */
export function fillText(text: string, edits: readonly Edit[]): FilledText {
  const ordered = edits.toSorted((a, b) => a.start - b.start);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, insert } of ordered) {
    pieces.push(text.slice(at, start), insert);
    at = end;
  }
  return {
    text: [...pieces, text.slice(at)].join(''),
    placeOf: (offset, side = 'start') => placeBefore(ordered, offset, side),
  };
}

function placeBefore(edits: readonly Edit[], offset: number, side: 'start' | 'end'): number {
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
