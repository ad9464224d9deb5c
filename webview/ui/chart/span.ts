/** A part of what is across, which may be endless. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** As much of a span as there are points for; all that there is where there are none. @param places rising */
export function spanWithin({ start, end }: Span, places: readonly number[]): Span {
  const all = { start: places[0] ?? 0, end: places.at(-1) ?? 0 };
  const within = { start: Math.max(start, all.start), end: Math.min(end, all.end) };
  return within.start < within.end ? within : all;
}

/** All that is across, whatever comes. */
export const WHOLE: Span = { start: -Infinity, end: Infinity };

/** The same span, without an end where that is an end of what is across: it moves with it. @param places rising */
export function openAtEnds({ start, end }: Span, places: readonly number[]): Span {
  const [first, last] = [places[0], places.at(-1)];
  return {
    start: first === undefined || start <= first ? -Infinity : start,
    end: last === undefined || end >= last ? Infinity : end,
  };
}

/** Whether all points are seen in it. @param places rising */
export function isWhole(span: Span, places: readonly number[]): boolean {
  const { start, end } = openAtEnds(spanWithin(span, places), places);
  return start === -Infinity && end === Infinity;
}

/** Whether there are points at more than one place in it. @param places rising */
export function hasSeveral({ start, end }: Span, places: readonly number[]): boolean {
  const seen = places.filter((at) => at >= start && at <= end);
  return seen[0] !== seen.at(-1);
}

/** A span so many times as long about something in it. */
export function spanZoomed({ start, end }: Span, middle: number, factor: number): Span {
  const half = ((end - start) * factor) / 2;
  return { start: middle - half, end: middle + half };
}

/** The same span, or one as long that has something in its sight. @param places rising */
export function movedTo(at: number, span: Span, places: readonly number[]): Span {
  if (at >= span.start && at <= span.end) return span;
  const all = spanWithin(WHOLE, places);
  const length = span.end - span.start;
  const start = Math.min(Math.max(at - length / 2, all.start), all.end - length);
  return { start, end: start + length };
}
