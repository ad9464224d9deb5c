import { type LogEntry, lettersOf } from '../model/logEntry';
import type { LogPageRequest } from '../stores/logStore';
import type { LogSource } from './logSource';

/** Reading ends however few the lines are: one may have a megabyte. In UTF-16 units. */
const ENOUGH_LETTERS = 32_000_000;
/** So many lines of one moment are read: a machine whose clock stands still has no other. */
const MOST_OF_MOMENT = 100_000;

/** A stretch of a part's log. */
export interface Stretch extends Pick<LogPageRequest, 'part' | 'start' | 'end' | 'order'> {
  readonly pageSize: number;
  /** Reading ends with the page that reaches so many lines. */
  readonly enoughLines: number;
  /** Nothing before this page is of interest. */
  readonly isLast?: (page: readonly LogEntry[]) => boolean;
}

/** What was read of a stretch. */
export interface ReadStretch {
  /** Oldest first, in whichever order it was read. */
  readonly entries: readonly LogEntry[];
  /** The time of the line that was read last when there are more, in microseconds since 1970. */
  readonly reached: number | undefined;
}

/** Reads a stretch page by page. @throws FleetError */
export async function readStretch(
  source: Pick<LogSource, 'page'>,
  { pageSize, enoughLines, isLast = () => false, ...stretch }: Stretch,
  signal: AbortSignal,
): Promise<ReadStretch> {
  const entries: LogEntry[] = [];
  let [pageToken, letters] = ['', 0];
  const isEnough = (): boolean =>
    letters >= ENOUGH_LETTERS ||
    entries.length >= MOST_OF_MOMENT ||
    (entries.length >= enoughLines && !isOneMoment(entries));
  do {
    const page = await source.page({ ...stretch, limit: pageSize, pageToken }, signal);
    for (const entry of page.items) {
      entries.push(entry);
      letters += lettersOf(entry);
    }
    pageToken = isLast(page.items) ? '' : page.nextPageToken;
  } while (pageToken !== '' && !isEnough());
  const reached = pageToken === '' ? undefined : entries.at(-1)?.micros;
  // Lines of one moment are told apart by their order alone.
  return { entries: stretch.order === 'newestFirst' ? entries.reverse() : entries, reached };
}

/** Lines of one moment alone do not lead further. */
function isOneMoment(entries: readonly LogEntry[]): boolean {
  return entries[0]?.micros === entries.at(-1)?.micros;
}
