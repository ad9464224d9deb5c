import type { Micros } from '../micros';
import type { Span } from './dayCounts';

/**
 * A span of time narrowed to what comes after a page: an index is then entered where the page ended,
 * not where the span does.
 * @param after the moment of the last item of the page before; absent for the first page.
 */
export function spanAfter(
  { start = -Infinity, end = Infinity }: Span<Micros>,
  oldestFirst: boolean,
  after: Micros | undefined,
): Span<Micros> {
  if (after === undefined) {
    return {};
  }
  return oldestFirst ? { start: Math.max(start, after) } : { end: Math.min(end, after + 1) };
}
