import type { Micros } from '../micros';
import type { Span } from './dayCounts';

/**
 * Narrows a time range to the part after a page. An index scan then starts at the end of the page
 * rather than at the start of the range.
 * @param after timestamp of the last item on the previous page; absent for the first page.
 */
export function spanAfter(
  { start = -Infinity, end = Infinity }: Span<Micros>,
  oldestFirst: boolean,
  after: Micros | undefined,
): Span<Micros> {
  if (after === undefined) return {};
  return oldestFirst ? { start: Math.max(start, after) } : { end: Math.min(end, after + 1) };
}
