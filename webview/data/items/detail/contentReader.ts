import type { ItemView } from '../../../../src/shared/data/items';

/** Larger contents are not read before somebody wants them, and not kept. */
const LARGEST_AHEAD = 8 * 1024 * 1024;
/** Contents that are read ahead at the same time. */
const MOST_AHEAD = 2;

type Load = (id: string, signal: AbortSignal) => Promise<ArrayBuffer>;

interface Ahead {
  readonly stop: AbortController;
  readonly bytes: Promise<ArrayBuffer>;
}

/** Reads the content of the item that is shown, and those of its neighbors ahead. */
export class ContentReader {
  private readonly ahead = new Map<string, Ahead>();

  constructor(private readonly load: Load) {}

  /** The content of an item, which is the caller's alone. */
  async read({ id }: ItemView, signal: AbortSignal): Promise<ArrayBuffer> {
    const ahead = this.ahead.get(id);
    if (!ahead) return this.load(id, signal);
    this.ahead.delete(id);
    const stop = (): void => ahead.stop.abort();
    signal.addEventListener('abort', stop, { once: true });
    return ahead.bytes.finally(() => signal.removeEventListener('abort', stop));
  }

  /** Reads these ahead, and nothing else any more. */
  expect(items: readonly ItemView[]): void {
    const wanted = items.filter(({ sizeBytes }) => sizeBytes <= LARGEST_AHEAD).slice(0, MOST_AHEAD);
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
    // Anyone who wants it reads it then, and hears of the failure.
    bytes.catch(() => this.ahead.delete(id));
    this.ahead.set(id, { stop, bytes });
  }
}
