import { FleetError } from '../../api/errors';
import type { CaptureFilter } from '../../model/captureFilter';
import type { Sleep } from '../../ports';
import type { CaptureOrder } from '../../stores/captureOrder';
import type { ReadingsPage, ReadingsStore } from '../../stores/readingsStore';

/** Maximum number of rows that the service returns per page. */
const PAGE_ROWS = 10_000;
const FEWEST_ROWS = 500;

/**
 * Delays before each retry in milliseconds: about a minute in total, long enough for the service to
 * restart.
 */
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

export interface PagesRequest {
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
export async function* readingPages(
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
        this.rows = Math.max(FEWEST_ROWS, Math.floor(this.rows / 2));
        await sleep(wait, signal);
      }
    }
  }
}
