import type { ItemSlice, ItemView } from '../../../src/shared/data/items';

/** So many items before and after those that are drawn are asked for along with them. */
const MARGIN = 100;
/** So far from what is drawn items are kept. */
const KEPT = 2_000;

export interface ItemWindowOptions {
  fetch(start: number, end: number, signal: AbortSignal): Promise<ItemSlice>;
  /** Items came, or it is known how far reading has come. */
  changed(): void;
  /** There are so many items. */
  counted(count: number): void;
  failed(error: unknown): void;
}

interface Asked {
  readonly start: number;
  readonly end: number;
  readonly stop: AbortController;
}

/** The items near what is drawn; what is missing is asked for, one stretch after the other. */
export class ItemWindow {
  private readonly items = new Map<number, ItemView>();
  private wanted = { start: 0, end: 0 };
  private asked: Asked | undefined;
  private count = 0;
  private readSoFar: number | undefined;
  private halted = false;
  /** What is drawn looks different by now. */
  private renewing = false;

  constructor(private readonly options: ItemWindowOptions) {}

  /** How many the host has read while it has not come to what is wanted; undefined when nothing waits. */
  get reading(): number | undefined {
    return this.asked && this.readSoFar;
  }

  at(place: number): ItemView | undefined {
    return this.items.get(place);
  }

  /** Starts over, with so many items. */
  reset(count: number): void {
    this.stop();
    this.items.clear();
    this.halted = false;
    this.renewing = false;
    this.readSoFar = undefined;
    this.count = count;
  }

  /** Says which places are drawn now. */
  want(start: number, end: number): void {
    this.wanted = { start, end };
    for (const place of this.items.keys()) {
      if (place < start - KEPT || place >= end + KEPT) this.items.delete(place);
    }
    const { asked } = this;
    // What was asked for is scrolled past.
    if (asked && (asked.end <= start || asked.start >= end)) this.stop();
    void this.ask();
  }

  /** Asks again for what is drawn, which is shown as it was until then; the rest is forgotten. */
  renew(): void {
    const { start, end } = this.withMargin(this.wanted.start, this.wanted.end);
    for (const place of this.items.keys()) {
      if (place < start || place >= end) this.items.delete(place);
    }
    this.renewing = end > start;
    this.stop();
    void this.ask();
  }

  /** Asks again after a failure. */
  retry(): void {
    this.halted = false;
    void this.ask();
  }

  /** Stops asking, until more is wanted. */
  stop(): void {
    this.asked?.stop.abort();
    this.asked = undefined;
  }

  private async ask(): Promise<void> {
    const missing = this.asked || this.halted ? undefined : this.missing();
    if (!missing) return;
    const asked = { ...missing, stop: new AbortController() };
    this.asked = asked;
    const { signal } = asked.stop;
    try {
      const slice = await this.options.fetch(missing.start, missing.end, signal);
      if (!signal.aborted) this.take(slice);
    } catch (error) {
      if (signal.aborted) return;
      this.asked = undefined;
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
    this.asked = undefined;
    this.renewing = false;
    this.readSoFar = read < Math.min(this.wanted.end, count) ? read : undefined;
    void this.ask();
    this.options.changed();
  }

  /** What to ask for next: nothing while all that is drawn is there. */
  private missing(): { readonly start: number; readonly end: number } | undefined {
    if (this.renewing) return this.withMargin(this.wanted.start, this.wanted.end);
    let from = this.wanted.start;
    let to = Math.min(this.wanted.end, this.count);
    while (from < to && this.items.has(from)) from += 1;
    while (to > from && this.items.has(to - 1)) to -= 1;
    if (from >= to) return undefined;
    return this.withMargin(from, to);
  }

  private withMargin(start: number, end: number): { readonly start: number; readonly end: number } {
    return { start: Math.max(0, start - MARGIN), end: Math.min(end + MARGIN, this.count) };
  }
}
