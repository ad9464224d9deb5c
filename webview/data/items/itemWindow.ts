import type { ItemSlice, ItemView } from '../../../src/shared/data/items';

/** Number of items to request before and after the drawn items. */
const MARGIN = 100;
/** Maximum distance, measured in items, between a cached item and the drawn items. */
const CACHED_MARGIN = 2_000;

export interface ItemWindowOptions {
  fetch(start: number, end: number, signal: AbortSignal): Promise<ItemSlice>;
  /** Called when items arrived or the loading progress changed. */
  changed(): void;
  /** Called with the number of items. */
  counted(count: number): void;
  failed(error: unknown): void;
}

interface PendingRequest {
  readonly start: number;
  readonly end: number;
  readonly stop: AbortController;
}

/** Cache of the items near the drawn items. Requests missing ranges, one range at a time. */
export class ItemWindow {
  private readonly items = new Map<number, ItemView>();
  private requested = { start: 0, end: 0 };
  private pending: PendingRequest | undefined;
  private count = 0;
  private readSoFar: number | undefined;
  private halted = false;
  /** True if the drawn items are outdated. */
  private renewing = false;

  constructor(private readonly options: ItemWindowOptions) {}

  /**
   * Number of items that the host has read so far to reach the requested items; undefined if no
   * items are requested.
   */
  get reading(): number | undefined {
    return this.pending && this.readSoFar;
  }

  at(index: number): ItemView | undefined {
    return this.items.get(index);
  }

  /** Clears the cache and sets the number of items. */
  reset(count: number): void {
    this.stop();
    this.items.clear();
    this.halted = false;
    this.renewing = false;
    this.readSoFar = undefined;
    this.count = count;
  }

  /** Sets the range of drawn items. */
  request(start: number, end: number): void {
    this.requested = { start, end };
    for (const index of this.items.keys()) {
      if (index < start - CACHED_MARGIN || index >= end + CACHED_MARGIN) this.items.delete(index);
    }
    const { pending } = this;
    // The user has scrolled past the requested items.
    if (pending && (pending.end <= start || pending.start >= end)) this.stop();
    void this.requestMissing();
  }

  /**
   * Requests the drawn items again and evicts all other items. The drawn items keep their old
   * content until the new content arrives.
   */
  renew(): void {
    const { start, end } = this.withMargin(this.requested.start, this.requested.end);
    for (const index of this.items.keys()) {
      if (index < start || index >= end) this.items.delete(index);
    }
    this.renewing = end > start;
    this.stop();
    void this.requestMissing();
  }

  /** Resumes requesting items after a failure. */
  retry(): void {
    this.halted = false;
    void this.requestMissing();
  }

  /** Stops requests until other items are needed. */
  stop(): void {
    this.pending?.stop.abort();
    this.pending = undefined;
  }

  private async requestMissing(): Promise<void> {
    const missing = this.pending || this.halted ? undefined : this.missing();
    if (!missing) return;
    const request = { ...missing, stop: new AbortController() };
    this.pending = request;
    const { signal } = request.stop;
    try {
      const slice = await this.options.fetch(missing.start, missing.end, signal);
      if (!signal.aborted) this.take(slice);
    } catch (error) {
      if (signal.aborted) return;
      this.pending = undefined;
      this.halted = true;
      this.options.failed(error);
    }
  }

  private take({ start, items, count, read }: ItemSlice): void {
    items.forEach((item, index) => this.items.set(start + index, item));
    if (count !== this.count) {
      this.count = count;
      this.options.counted(count);
    }
    this.pending = undefined;
    this.renewing = false;
    this.readSoFar = read < Math.min(this.requested.end, count) ? read : undefined;
    void this.requestMissing();
    this.options.changed();
  }

  /** Returns the next range to request; undefined if all drawn items are loaded. */
  private missing(): { readonly start: number; readonly end: number } | undefined {
    if (this.renewing) return this.withMargin(this.requested.start, this.requested.end);
    let from = this.requested.start;
    let to = Math.min(this.requested.end, this.count);
    while (from < to && this.items.has(from)) from += 1;
    while (to > from && this.items.has(to - 1)) to -= 1;
    if (from >= to) return undefined;
    return this.withMargin(from, to);
  }

  private withMargin(start: number, end: number): { readonly start: number; readonly end: number } {
    return { start: Math.max(0, start - MARGIN), end: Math.min(end + MARGIN, this.count) };
  }
}
