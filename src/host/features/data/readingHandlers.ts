import * as vscode from 'vscode';
import { exportReadings, readingJson } from '../../../core/data/export/exportReadings';
import {
  copiedColumn,
  FIXED_COLUMNS,
  type ReadingsListing,
  valueIn,
} from '../../../core/data/readingsListing';
import {
  formatCell,
  formatFullValue,
  getCellKind,
  type ValueLabels,
} from '../../../core/data/tables/formatCell';
import type {
  ChartLine,
  ChartRequest,
  ReadingCellRef,
  ReadingChart,
  ReadingListingRef,
  readingMessages,
  ReadingProgress,
  ReadingRow,
} from '../../../shared/data/readings';
import type { HostHandlers } from '../../../shared/protocol';
import { CLIPBOARD, copyCell, copyTable } from '../../platform/webview/copyTable';
import { getValueLabels, workbookStrings } from '../../platform/text/tableStrings';
import {
  LatestReadings,
  ReadingListings,
  type ReadingSession,
  resourceName,
} from './readingListings';
import type { DataColumn, DataColumns } from '../../../core/data/tables/dataColumns';
import { toDisplayText } from '../../../core/model/displayText';
import { MICROS_PER_MILLISECOND } from '../../../core/model/timestamp';
import type { Reading } from '../../../core/model/reading';
import type { ValueCell, ValueColumn } from '../../../shared/tables';
import {
  chartSeries,
  type ChartSeries,
  summarizeSeries,
  thinOut,
} from '../../../core/data/tables/chartSeries';
import { systemSleep } from '../../../base/clock';
import type { RecordFormat } from '../../../core/data/export/writeRecords';
import type { CaptureFilter } from '../../../core/model/captureFilter';
import type { ReadingsStore } from '../../../core/stores/readingsStore';
import {
  csvFormat,
  exportToFile,
  type FileExport,
  type FileFormat,
  fileFormat,
  xlsxFormat,
} from '../../platform/files/exportToFile';
import { formatNumber } from '../../platform/text/displayText';

/** Maximum number of rows per request, more than any screen shows. */
const MAX_ROWS = 500;
/**
 * Maximum number of rows in a chart. More rows add no visible information and take a long time to
 * load.
 */
const CHART_ROWS = 50_000;
/** Number of rows whose resources are offered for latest values and charts. */
const SOURCE_ROWS = 10_000;
/** Maximum length of text, in characters, that a page can display without delay. */
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
        requestedRows: listings.rows(view, start, end).length,
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

/** Converts a reading to a table row. */
function readingRow(reading: Reading, columns: DataColumns, labels: ValueLabels): ReadingRow {
  const cells: ValueCell[] = [];
  for (const column of FIXED_COLUMNS) {
    const value = column === 'time' ? undefined : valueIn(reading, column);
    if (value === undefined) continue;
    const text = column === 'tags' ? reading.tags.join(', ') : value;
    cells.push({ column, kind: 'text', text: formatCell(text, labels) });
  }
  columns.read(reading.data, (column, value) => {
    cells.push({
      column: columnId(column),
      kind: getCellKind(value),
      text: formatCell(value, labels),
    });
  });
  return { at: reading.at / MICROS_PER_MILLISECOND, cells };
}

/** Returns the payload columns starting at an index. */
function columnsFrom({ list }: DataColumns, start: number): readonly ValueColumn[] {
  return list.slice(start).map((column, index) => ({
    id: columnId(start + index),
    name: toDisplayText(column.name),
  }));
}

function columnId(index: number): string {
  return `d${index}`;
}

function toProgress(listing: ReadingsListing): ReadingProgress {
  const { read, count = 0, isFull, hasOverflowValues } = listing;
  return {
    read: read.length,
    count: Math.max(count, read.length),
    full: isFull,
    hasOverflow: hasOverflowValues,
  };
}

/** Maximum number of lines that users can distinguish. */
const MAX_LINES = 12;
/**
 * Maximum total number of points across all lines. Exceeds the number of pixels available to draw
 * them.
 */
const MAX_POINTS = 10_000;

/**
 * Returns the chart lines for the loaded numbers. If there are too many lines, returns the lines
 * with the most points.
 */
function readingChart(
  listing: ReadingsListing,
  columns: readonly DataColumn[],
  { start, end }: Pick<ChartRequest, 'start' | 'end'>,
): ReadingChart {
  const span = { start: toMicros(start), end: toMicros(end) };
  const found = [...chartSeries(listing.read, columns, span)];
  found.sort((a, b) => b.values.length - a.values.length);
  const drawn = found.slice(0, MAX_LINES);
  const maxPoints = Math.floor(MAX_POINTS / Math.max(1, drawn.length));
  return {
    lines: drawn.map((series) => toChartLine(series, maxPoints)),
    leftOut: found.length - drawn.length,
    read: listing.read.length,
    count: Math.max(listing.count ?? 0, listing.read.length),
    thinned: drawn.some(({ values }) => values.length > maxPoints),
  };
}

function toMicros(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds * MICROS_PER_MILLISECOND;
}

function toChartLine(series: ChartSeries, maxPoints: number): ChartLine {
  const { x, y } = thinOut({ x: series.times, y: series.values }, maxPoints);
  return {
    name: toDisplayText(series.column.name),
    resource: resourceName(series.source),
    ...summarizeSeries(series.values),
    times: Float64Array.from(x, (time) => time / MICROS_PER_MILLISECOND).buffer,
    values: Float64Array.from(y).buffer,
  };
}

/** Readings to export: all of a filter's matches. */
export interface ExportedReadings {
  readonly store: Pick<ReadingsStore, 'count' | 'page'>;
  readonly filter: CaptureFilter;
}

/** Exports all readings that match a filter to a file that the user selects. @throws FleetError */
async function promptAndExport({ store, filter }: ExportedReadings): Promise<void> {
  const count = await store.count(filter);
  if (count === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No readings match the filter.'));
    return;
  }
  await exportToFile({
    title: vscode.l10n.t('Export Readings'),
    placeholder:
      count === 1
        ? vscode.l10n.t('1 reading (all that match the filter)')
        : vscode.l10n.t('{0} readings: all that match the filter', formatNumber(count)),
    formats: formats(),
    name: 'readings',
    write: (format, file, signal, report) =>
      exportReadings(store, {
        filter,
        order: 'oldestFirst',
        format,
        file,
        signal,
        sleep: systemSleep,
        workbook: workbookStrings(),
        onWaiting: ({ message }) => report(vscode.l10n.t('Trying again. {0}', message)),
        onProgress: (done, of) =>
          report(vscode.l10n.t('{0} of {1}', formatNumber(done), formatNumber(of))),
      }),
    messages: getExportMessages(),
  });
}

function formats(): readonly FileFormat<RecordFormat>[] {
  return [
    csvFormat(),
    xlsxFormat(),
    fileFormat('ndjson', 'NDJSON', vscode.l10n.t('One JSON object for each reading as captured')),
    fileFormat('json', 'JSON', vscode.l10n.t('One JSON array of all readings as captured')),
  ];
}

function getExportMessages(): FileExport<RecordFormat>['messages'] {
  return {
    elsewhere: vscode.l10n.t('Readings can only be saved on this computer. Select a local file.'),
    failed: (file, reason) =>
      vscode.l10n.t('Couldn\'t write the readings to "{0}". {1}', file, reason),
    done: (file, rows) =>
      rows === 1
        ? vscode.l10n.t('Exported 1 reading to {0}.', file)
        : vscode.l10n.t('Exported {0} readings to {1}.', formatNumber(rows), file),
  };
}
