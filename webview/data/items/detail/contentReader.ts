import type { ItemView } from '../../../../src/shared/data/items';

/** Maximum size, in bytes, of content to prefetch and cache. */
const MAX_PREFETCH_BYTES = 8 * 1024 * 1024;
/** Maximum number of concurrent prefetches. */
const MAX_PREFETCHES = 2;

type Load = (id: string, signal: AbortSignal) => Promise<ArrayBuffer>;

interface Ahead {
  readonly stop: AbortController;
  readonly bytes: Promise<ArrayBuffer>;
}

/** Loads the open item's content and prefetches its neighbors' content. */
export class ContentReader {
  private readonly ahead = new Map<string, Ahead>();

  constructor(private readonly load: Load) {}

  /** Loads an item's content; the caller owns the buffer. */
  async read({ id }: ItemView, signal: AbortSignal): Promise<ArrayBuffer> {
    const ahead = this.ahead.get(id);
    if (!ahead) return this.load(id, signal);
    this.ahead.delete(id);
    const stop = (): void => ahead.stop.abort();
    signal.addEventListener('abort', stop, { once: true });
    return ahead.bytes.finally(() => signal.removeEventListener('abort', stop));
  }

  /** Prefetches the given items and cancels all other prefetches. */
  expect(items: readonly ItemView[]): void {
    const wanted = items
      .filter(({ sizeBytes }) => sizeBytes <= MAX_PREFETCH_BYTES)
      .slice(0, MAX_PREFETCHES);
    for (const [id, { stop }] of this.ahead) {
      if (wanted.some((item) => item.id === id)) continue;
      stop.abort();
      this.ahead.delete(id);
    }
    for (const { id } of wanted) if (!this.ahead.has(id)) this.begin(id);
  }

  private begin(id: string): void {
    const stop = new AbortController();
    const bytes = this.load(id, stop.signal);
    // Ignore the error. If the content is needed, `read` requests it again and reports the error.
    bytes.catch(() => this.ahead.delete(id));
    this.ahead.set(id, { stop, bytes });
  }
}
