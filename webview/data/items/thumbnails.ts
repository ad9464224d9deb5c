import type { ItemView } from '../../../src/shared/data/items';
import { HostError } from '../../messaging/hostConnection';
import { decodeThumbnail, type PixelSize, type ThumbnailProblem } from './decodeThumbnail';
import { type Thumbnail, ThumbnailCache } from './thumbnailCache';

/** Larger contents are not read for a thumbnail. */
const LARGEST_CONTENT = 24 * 1024 * 1024;
/** Asked for at the same time: the host makes a few calls of them. */
const MOST_ASKED = 24;
/** Decoded at the same time: each needs a whole picture's memory for a moment. */
const MOST_DECODED = 4;
/** Problems that another try does not solve, by the kinds of errors. */
const PROBLEMS: Readonly<Record<string, ThumbnailProblem | undefined>> = {
  notFound: 'gone',
  damaged: 'damaged',
};
/** What is scrolled past within so many milliseconds is not asked for. */
const REST = 80;

export interface ThumbnailOptions {
  load(id: string, signal: AbortSignal): Promise<ArrayBuffer>;
  /** Device pixels that a thumbnail is drawn in. */
  size(): PixelSize;
  /** There is a picture, or word of why there is none. */
  changed(id: string): void;
}

/** Reads the pictures of what is seen, and keeps those that were seen last. */
export class Thumbnails {
  private readonly cache = new ThumbnailCache({ pictures: 600, bytes: 96 * 1024 * 1024 });
  /** What is seen, since when. */
  private wanted = new Map<string, { readonly item: ItemView; readonly due: number }>();
  private readonly asked = new Map<string, AbortController>();
  /** What has been read and waits to be decoded. */
  private readonly undecoded = new Map<string, ArrayBuffer>();
  private readonly decoding = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: ThumbnailOptions) {}

  of({ id, sizeBytes }: ItemView): Thumbnail | undefined {
    return sizeBytes > LARGEST_CONTENT ? 'large' : this.cache.get(id);
  }

  /**
   * Says what is seen, the most wanted first. What is not seen any more is not asked for any more.
   * @param resting nothing is being scrolled.
   */
  want(items: readonly ItemView[], resting: boolean): void {
    const now = performance.now();
    const before = this.wanted;
    this.wanted = new Map(
      items.map((item) => {
        const due = resting ? now : (before.get(item.id)?.due ?? now + REST);
        return [item.id, { item, due }];
      }),
    );
    for (const [id, stop] of this.asked) {
      if (this.wanted.has(id)) continue;
      stop.abort();
      this.asked.delete(id);
    }
    for (const id of before.keys()) {
      // What did not succeed is tried again when it comes into sight again.
      if (!this.wanted.has(id) && this.cache.get(id) === 'failed') this.cache.delete(id);
    }
    this.askNext();
  }

  /** Forgets all pictures, as when they are drawn in another size. */
  clear(): void {
    this.stop();
    this.cache.clear();
  }

  /** Stops reading, until more is wanted. */
  stop(): void {
    this.want([], true);
    this.undecoded.clear();
    clearTimeout(this.timer);
  }

  private askNext(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    let soonest = Infinity;
    for (const [id, { item, due }] of this.wanted) {
      if (this.asked.size >= MOST_ASKED) return;
      if (item.sizeBytes > LARGEST_CONTENT || this.isKnown(id)) continue;
      if (due <= now) void this.ask(id);
      else soonest = Math.min(soonest, due);
    }
    if (soonest < Infinity) this.timer = setTimeout(() => this.askNext(), soonest - now);
  }

  private async ask(id: string): Promise<void> {
    const stop = new AbortController();
    this.asked.set(id, stop);
    try {
      const bytes = await this.options.load(id, stop.signal);
      if (stop.signal.aborted) return;
      this.undecoded.set(id, bytes);
    } catch (error) {
      if (stop.signal.aborted) return;
      this.keep(id, (error instanceof HostError && PROBLEMS[error.kind]) || 'failed');
    }
    this.asked.delete(id);
    this.askNext();
    this.decodeNext();
  }

  private isKnown(id: string): boolean {
    const { asked, undecoded, decoding, cache } = this;
    return [asked, undecoded, decoding, cache].some((known) => known.has(id));
  }

  private decodeNext(): void {
    for (const [id, bytes] of this.undecoded) {
      if (this.decoding.size >= MOST_DECODED) return;
      this.undecoded.delete(id);
      // Its time may have passed: what is seen now comes first.
      if (this.wanted.has(id)) void this.decode(id, bytes);
    }
  }

  private async decode(id: string, bytes: ArrayBuffer): Promise<void> {
    this.decoding.add(id);
    const size = this.options.size();
    const decoded = await decodeThumbnail(bytes, size);
    this.decoding.delete(id);
    const now = this.options.size();
    if (size.width === now.width && size.height === now.height) this.keep(id, decoded);
    else if (decoded instanceof ImageBitmap) decoded.close();
    this.decodeNext();
    this.askNext();
  }

  private keep(id: string, thumbnail: Thumbnail): void {
    this.cache.set(id, thumbnail);
    this.options.changed(id);
  }
}
