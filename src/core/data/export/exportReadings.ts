import type { Reading } from '../../model/reading';
import type { ReadingsPage, ReadingsStore } from '../../stores/readingsStore';
import type { ExportFile, RecordLayout } from './recordWriter';
import { type RecordFormat, recordWriter, writeRecords } from './writeRecords';
import type { WorkbookStrings } from './xlsx/sheetCell';
import { FleetError } from '../../api/errors';
import type { CaptureFilter, CaptureOrder } from '../../model/captureFilter';
import type { Sleep } from '../../ports';
import { isoMicros } from '../../model/timestamp';
import { FIXED_COLUMNS, PAYLOAD_ROOT, valueIn } from '../readingsListing';

export interface ReadingsExport extends PagesRequest {
  readonly format: RecordFormat;
  readonly file: ExportFile;
  /** Localized strings of a workbook. */
  readonly workbook: WorkbookStrings;
  /** Called with the number of written rows and the number of matches. */
  readonly onProgress: (rows: number, of: number) => void;
}

/**
 * Writes all readings that match a filter to a file. Buffers at most two pages.
 * @returns the number of rows. @throws FleetError, and errors from the file.
 */
export function exportReadings(
  store: Pick<ReadingsStore, 'page'>,
  { format, file, workbook, onProgress, ...request }: ReadingsExport,
): Promise<number> {
  let selected = 0;
  const batches = async function* (): AsyncGenerator<readonly Reading[]> {
    for await (const { readings, count } of readingPages(store, request)) {
      selected = count;
      yield readings;
    }
  };
  const writer = recordWriter(format, file, readingLayout, workbook);
  return writeRecords(batches(), writer, request.signal, (rows) => {
    // Readings that arrive during the export are counted but might be missing from the file.
    onProgress(rows, Math.max(selected, rows));
  });
}

/** Maximum number of rows that the service returns per page. */
const PAGE_ROWS = 10_000;
const MIN_ROWS = 500;

/**
 * Delays before each retry in milliseconds: about a minute in total, long enough for the service to
 * restart.
 */
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

interface PagesRequest {
  readonly filter: CaptureFilter;
  readonly order: CaptureOrder;
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  /** Called with the error when the service doesn't respond and the read will be retried. */
  readonly onWaiting?: (error: FleetError) => void;
}

/**
 * Yields all readings that match a filter, page by page, and prefetches the next page. Resumes
 * after a lost connection. @throws FleetError
 */
async function* readingPages(
  store: Pick<ReadingsStore, 'page'>,
  request: PagesRequest,
): AsyncGenerator<ReadingsPage> {
  const pages = new PageReader(store, request);
  let next = pages.after(undefined);
  for (;;) {
    const page = await next;
    if (page.readings.length === 0) return;
    next = pages.after(page.last);
    // If the consumer stops, nothing awaits the prefetched page.
    next.catch(() => undefined);
    yield page;
  }
}

class PageReader {
  private rows = PAGE_ROWS;

  constructor(
    private readonly store: Pick<ReadingsStore, 'page'>,
    private readonly request: PagesRequest,
  ) {}

  async after(last: string | undefined): Promise<ReadingsPage> {
    const { filter, order, signal, sleep, onWaiting } = this.request;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.store.page({ filter, order, limit: this.rows, after: last }, signal);
      } catch (error) {
        const wait = WAITS[attempt];
        const isGone = error instanceof FleetError && error.kind === 'unavailable';
        if (!isGone || wait === undefined || signal.aborted) throw error;
        onWaiting?.(error);
        // A page that takes too long also fails, so try a smaller page.
        this.rows = Math.max(MIN_ROWS, Math.floor(this.rows / 2));
        await sleep(wait, signal);
      }
    }
  }
}

/** Layout of exported readings. */
const readingLayout: RecordLayout<Reading> = {
  fixed: FIXED_COLUMNS,
  fixedValues: (reading) => FIXED_COLUMNS.map((column) => valueIn(reading, column)),
  root: PAYLOAD_ROOT,
  data: ({ data }) => data,
  overflowName: `${PAYLOAD_ROOT} (further)`,
  json: (readings, between) => new TextEncoder().encode(readings.map(readingJson).join(between)),
};

/** Formats a reading with all of its metadata as JSON on one line. The payload is unchanged. */
export function readingJson({ at, receivedAt, source, tags, data }: Reading): string {
  return JSON.stringify({
    time: isoMicros(at),
    ...(receivedAt !== undefined && { received: isoMicros(receivedAt) }),
    organizationId: source.organizationId,
    locationId: source.locationId,
    machineId: source.machineId,
    machine: source.machineName,
    partId: source.partId,
    part: source.partName,
    componentType: source.componentType,
    component: source.componentName,
    method: source.method,
    tags,
    data,
  });
}
