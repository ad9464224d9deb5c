/** A range of x values; its bounds can be infinite. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part of a span that contains points, or the extent of all points if the span contains
 * none.
 * @param xValues the points' x values in ascending order
 */
export function spanWithin({ start, end }: Span, xValues: readonly number[]): Span {
  const all = { start: xValues[0] ?? 0, end: xValues.at(-1) ?? 0 };
  const within = { start: Math.max(start, all.start), end: Math.min(end, all.end) };
  return within.start < within.end ? within : all;
}

/** The whole x range, including points added later. */
export const WHOLE: Span = { start: -Infinity, end: Infinity };

/**
 * Replaces each bound of a span that reaches an end of the data with infinity, so that the span
 * grows with the data.
 * @param xValues the points' x values in ascending order
 */
export function openAtEnds({ start, end }: Span, xValues: readonly number[]): Span {
  const [first, last] = [xValues[0], xValues.at(-1)];
  return {
    start: first === undefined || start <= first ? -Infinity : start,
    end: last === undefined || end >= last ? Infinity : end,
  };
}

/**
 * Returns true if the span contains all points.
 * @param xValues the points' x values in ascending order
 */
export function isWhole(span: Span, xValues: readonly number[]): boolean {
  const { start, end } = openAtEnds(spanWithin(span, xValues), xValues);
  return start === -Infinity && end === Infinity;
}

/**
 * Returns true if the span contains points at more than one x value.
 * @param xValues the points' x values in ascending order
 */
export function hasMultipleXValues({ start, end }: Span, xValues: readonly number[]): boolean {
  const seen = xValues.filter((at) => at >= start && at <= end);
  return seen[0] !== seen.at(-1);
}

/** Returns a span scaled by a factor around a position within it. */
export function zoomSpan({ start, end }: Span, middle: number, factor: number): Span {
  const half = ((end - start) * factor) / 2;
  return { start: middle - half, end: middle + half };
}

/**
 * Returns the span if it contains a position. Otherwise, returns a span of the same length that
 * contains the position.
 * @param xValues the points' x values in ascending order
 */
export function moveSpanTo(at: number, span: Span, xValues: readonly number[]): Span {
  if (at >= span.start && at <= span.end) return span;
  const all = spanWithin(WHOLE, xValues);
  const length = span.end - span.start;
  const start = Math.min(Math.max(at - length / 2, all.start), all.end - length);
  return { start, end: start + length };
}
