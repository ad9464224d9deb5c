import { FleetError } from '../../api/errors';
import type { CaptureFilter } from '../../model/captureFilter';
import type { Sleep } from '../../ports';
import type { CaptureOrder } from '../../stores/captureOrder';
import type { ReadingsPage, ReadingsStore } from '../../stores/readingsStore';

/** As many as the service gives at once. */
const PAGE_ROWS = 10_000;
const FEWEST_ROWS = 500;

/** How long to wait before asking again, in milliseconds: about a minute, which a restart of a service takes. */
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

export interface PagesRequest {
  readonly filter: CaptureFilter;
  readonly order: CaptureOrder;
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  /** Hears that the service does not answer, and what it is waited for. */
  readonly onWaiting?: (error: FleetError) => void;
}

/**
 * All readings that a filter selects, page by page. The next page is on its way while one is worked with.
 * When the connection drops, reading goes on where it was. @throws FleetError
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
    // Who stops reading does not wait for it.
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
        // A page that takes too long fails as well, and smaller ones may pass.
        this.rows = Math.max(FEWEST_ROWS, Math.floor(this.rows / 2));
        await sleep(wait, signal);
      }
    }
  }
}
