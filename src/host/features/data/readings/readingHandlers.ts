import { readingJson } from '../../../../core/data/export/readingLayout';
import { copiedColumn, valueIn } from '../../../../core/data/readings/tableColumn';
import { formatFullValue } from '../../../../core/data/tables/formatCell';
import type {
  ReadingListingRef,
  readingMessages,
  ReadingCellRef,
  ReadingProgress,
} from '../../../../shared/data/readings';
import type { HostHandlers } from '../../../../shared/protocol';
import { CLIPBOARD, copyCell, copyTable } from '../../../platform/copyTable';
import { getValueLabels } from '../../../platform/getValueLabels';
import { promptAndExport } from './exportReadings';
import { LatestReadings } from './latestReadings';
import { readingChart } from './readingChart';
import { ReadingListings, type ReadingSession } from './readingListings';
import { columnsFrom, toProgress, readingRow } from './readingRows';

/** Maximum number of rows per request, more than any screen shows. */
const MAX_ROWS = 500;
/**
 * Maximum number of rows in a chart. More rows add no visible information and take a long time to
 * load.
 */
const CHART_ROWS = 50_000;
/** Number of rows whose resources are offered for latest values and charts. */
const SOURCE_ROWS = 10_000;
/** Maximum length of text that a page can display without delay. */
const MAX_TEXT_LENGTH = 500_000;

export interface ReadingTools {
  readonly session: ReadingSession;
  /** Reports the loading progress to the page. */
  readonly notifyRead: (progress: ReadingListingRef & ReadingProgress) => void;
}

/** Returns the handlers for messages about readings. */
export function readingHandlers(tools: ReadingTools): HostHandlers<typeof readingMessages> {
  const { session } = tools;
  const listings = new ReadingListings(session);
  const latest = new LatestReadings(session, listings);
  const labels = getValueLabels();
  const readUpTo = async (
    ref: ReadingListingRef,
    rows: number,
    signal: AbortSignal,
  ): Promise<ReadingProgress> => {
    const listing = listings.listing(ref);
    const { generation, order } = ref;
    await listing.readUpTo(rows, signal, () =>
      tools.notifyRead({ generation, order, ...toProgress(listing) }),
    );
    return toProgress(listing);
  };
  const exportAll = (generation: number): Promise<void> => {
    const { browse, stores } = session.of(generation);
    return promptAndExport({ store: stores.readings, filter: browse.filter });
  };
  const getText = (at: ReadingCellRef): string => {
    const reading = listings.row(at, at.index);
    if (at.column === undefined) return JSON.stringify(JSON.parse(readingJson(reading)), null, 2);
    const value = valueIn(reading, listings.column(at, at.column));
    return value === undefined ? '' : formatFullValue(value);
  };
  return {
    readingRows: async ({ start, end, columns, ...view }, signal) => {
      const listing = listings.listing(view);
      const last = Math.min(end, start + MAX_ROWS);
      await listing.readUpTo(view.sort ? 1 : last, signal);
      const rows = listings.rows(view, start, last);
      return {
        start,
        rows: rows.map((reading) => readingRow(reading, listing.columns, labels)),
        columns: columnsFrom(listing.columns, columns),
        ...toProgress(listing),
      };
    },
    readMoreReadings: ({ upTo, ...ref }, signal) => readUpTo(ref, upTo, signal),
    readingText: (at) => {
      const text = getText(at);
      return Promise.resolve({ text: text.slice(0, MAX_TEXT_LENGTH), characters: text.length });
    },
    copyReadingCell: (at) => copyCell(getText(at)),
    copyReadings: ({ start, end, columns, format, ...view }) => {
      const copied = {
        rows: listings.rows(view, start, Math.min(end, start + CLIPBOARD.rows)),
        wanted: listings.rows(view, start, end).length,
        columns: columns.map((id) => copiedColumn(listings.column(view, id))),
        format,
      };
      return copyTable(copied, () => exportAll(view.generation));
    },
    exportReadings: ({ generation }) => exportAll(generation),
    numericReadingColumns: async (ref, signal) => {
      const listing = listings.listing(ref);
      await readUpTo(ref, SOURCE_ROWS, signal);
      const all = columnsFrom(listing.columns, 0);
      const isNumeric = (index: number): boolean => listing.numericColumns.has(index);
      return { columns: all.filter((_, index) => isNumeric(index)) };
    },
    chartReadings: async (request, signal) => {
      await readUpTo(request, CHART_ROWS, signal);
      const columns = request.columns.flatMap((id) => {
        const column = listings.column(request, id);
        return typeof column === 'string' ? [] : [column];
      });
      return readingChart(listings.listing(request), columns, request);
    },
    latestSources: async (ref, signal) => {
      await readUpTo(ref, SOURCE_ROWS, signal);
      return latest.sources(ref);
    },
    latestReading: ({ key, ...ref }, signal) => latest.read(ref, key, signal),
  };
}
