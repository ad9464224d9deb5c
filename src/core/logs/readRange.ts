import { type LogEntry, getCharCount } from '../model/logEntry';
import type { LogPageRequest } from '../stores/logStore';
import type { LogSource } from './logSource';

/**
 * Total length in UTF-16 units after which reading stops, regardless of the number of lines,
 * because a single line can be a megabyte long.
 */
const ENOUGH_LETTERS = 32_000_000;
/**
 * Maximum number of lines with the same timestamp to read. If a machine's clock has stopped, all of
 * its lines have the same timestamp.
 */
const MAX_LINES_PER_TIMESTAMP = 100_000;

/** Range of a part's log. */
export interface LogRange extends Pick<LogPageRequest, 'part' | 'start' | 'end' | 'order'> {
  readonly pageSize: number;
  /** Number of lines after which reading stops, at the end of the page that reaches this number. */
  readonly enoughLines: number;
  /** Returns true if no lines beyond this page are needed. */
  readonly isLast?: (page: readonly LogEntry[]) => boolean;
}

/** Lines read from a range. */
export interface LogRangeResult {
  /** Lines sorted oldest first, regardless of the order in which they were read. */
  readonly entries: readonly LogEntry[];
  /**
   * Time of the line that was read last, in microseconds since 1970; undefined if there are no more
   * lines.
   */
  readonly reached: number | undefined;
}

/** Reads a range page by page. @throws FleetError */
export async function readRange(
  source: Pick<LogSource, 'page'>,
  { pageSize, enoughLines, isLast = () => false, ...stretch }: LogRange,
  signal: AbortSignal,
): Promise<LogRangeResult> {
  const entries: LogEntry[] = [];
  let [pageToken, letters] = ['', 0];
  const isEnough = (): boolean =>
    letters >= ENOUGH_LETTERS ||
    entries.length >= MAX_LINES_PER_TIMESTAMP ||
    (entries.length >= enoughLines && !isSingleTimestamp(entries));
  do {
    const page = await source.page({ ...stretch, limit: pageSize, pageToken }, signal);
    for (const entry of page.items) {
      entries.push(entry);
      letters += getCharCount(entry);
    }
    pageToken = isLast(page.items) ? '' : page.nextPageToken;
  } while (pageToken !== '' && !isEnough());
  const reached = pageToken === '' ? undefined : entries.at(-1)?.micros;
  // Lines with the same timestamp are distinguished only by their order.
  return { entries: stretch.order === 'newestFirst' ? entries.reverse() : entries, reached };
}

/** Returns true if all lines have the same timestamp, so that the range must be extended. */
function isSingleTimestamp(entries: readonly LogEntry[]): boolean {
  return entries[0]?.micros === entries.at(-1)?.micros;
}
