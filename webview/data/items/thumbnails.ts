import type { ItemView } from '../../../src/shared/data/items';
import { HostError } from '../../messaging/hostConnection';
import {
  decodeThumbnail,
  type PixelSize,
  type ThumbnailImage,
  type ThumbnailProblem,
} from '../decodeImage';

/** Maximum size, in bytes, of content to load for a thumbnail. */
const MAX_CONTENT_BYTES = 24 * 1024 * 1024;
/** Maximum number of concurrent requests; the host combines them into a few calls. */
const MAX_REQUESTS = 24;
/**
 * Maximum number of concurrent decoding operations. Each operation temporarily needs memory for a
 * whole image.
 */
const MAX_DECODING = 4;
/** Problems that a retry doesn't solve, by error kind. */
const PROBLEMS: Readonly<Record<string, ThumbnailProblem | undefined>> = {
  notFound: 'gone',
  damaged: 'damaged',
};
/** Time, in milliseconds, that an item must be visible before its content is requested. */
const DEBOUNCE_MS = 80;

export interface ThumbnailOptions {
  load(id: string, signal: AbortSignal): Promise<ArrayBuffer>;
  /** Returns a thumbnail's size in device pixels. */
  size(): PixelSize;
  /** Called when an item's thumbnail, or the reason that there is none, is available. */
  changed(id: string): void;
}

/** Loads the images for the visible items and caches the most recently visible ones. */
export class Thumbnails {
  private readonly cache = new ThumbnailCache({ pictures: 600, bytes: 96 * 1024 * 1024 });
  /** The visible items, with the time at which each can be requested. */
  private requested = new Map<string, { readonly item: ItemView; readonly due: number }>();
  private readonly pending = new Map<string, AbortController>();
  /** Loaded content that isn't decoded yet. */
  private readonly undecoded = new Map<string, ArrayBuffer>();
  private readonly decoding = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: ThumbnailOptions) {}

  of({ id, sizeBytes }: ItemView): Thumbnail | undefined {
    return sizeBytes > MAX_CONTENT_BYTES ? 'large' : this.cache.get(id);
  }

  /**
   * Sets the visible items, most important first. Pending requests for other items are canceled.
   * @param resting true if the list isn't scrolling.
   */
  request(items: readonly ItemView[], resting: boolean): void {
    const now = performance.now();
    const before = this.requested;
    this.requested = new Map(
      items.map((item) => {
        const due = resting ? now : (before.get(item.id)?.due ?? now + DEBOUNCE_MS);
        return [item.id, { item, due }];
      }),
    );
    for (const [id, stop] of this.pending) {
      if (this.requested.has(id)) continue;
      stop.abort();
      this.pending.delete(id);
    }
    for (const id of before.keys()) {
      // Retry a failed image when it becomes visible again.
      if (!this.requested.has(id) && this.cache.get(id) === 'failed') this.cache.delete(id);
    }
    this.requestNext();
  }

  /** Clears all images, for example because the thumbnail size changed. */
  clear(): void {
    this.stop();
    this.cache.clear();
  }

  /** Stops loading until other items are needed. */
  stop(): void {
    this.request([], true);
    this.undecoded.clear();
    clearTimeout(this.timer);
  }

  private requestNext(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    let soonest = Infinity;
    for (const [id, { item, due }] of this.requested) {
      if (this.pending.size >= MAX_REQUESTS) return;
      if (item.sizeBytes > MAX_CONTENT_BYTES || this.isKnown(id)) continue;
      if (due <= now) void this.requestContent(id);
      else soonest = Math.min(soonest, due);
    }
    if (soonest < Infinity) this.timer = setTimeout(() => this.requestNext(), soonest - now);
  }

  private async requestContent(id: string): Promise<void> {
    const stop = new AbortController();
    this.pending.set(id, stop);
    try {
      const bytes = await this.options.load(id, stop.signal);
      if (stop.signal.aborted) return;
      this.undecoded.set(id, bytes);
    } catch (error) {
      if (stop.signal.aborted) return;
      this.cacheThumbnail(id, (error instanceof HostError && PROBLEMS[error.kind]) || 'failed');
    }
    this.pending.delete(id);
    this.requestNext();
    this.decodeNext();
  }

  private isKnown(id: string): boolean {
    const { pending, undecoded, decoding, cache } = this;
    return [pending, undecoded, decoding, cache].some((known) => known.has(id));
  }

  private decodeNext(): void {
    for (const [id, bytes] of this.undecoded) {
      if (this.decoding.size >= MAX_DECODING) return;
      this.undecoded.delete(id);
      // The item might no longer be visible; visible items take precedence.
      if (this.requested.has(id)) void this.decode(id, bytes);
    }
  }

  private async decode(id: string, bytes: ArrayBuffer): Promise<void> {
    this.decoding.add(id);
    const size = this.options.size();
    const decoded = await decodeThumbnail(bytes, size);
    this.decoding.delete(id);
    const now = this.options.size();
    if (size.width === now.width && size.height === now.height) this.cacheThumbnail(id, decoded);
    else if (typeof decoded !== 'string') decoded.bitmap.close();
    this.decodeNext();
    this.requestNext();
  }

  private cacheThumbnail(id: string, thumbnail: Thumbnail): void {
    this.cache.set(id, thumbnail);
    this.options.changed(id);
  }
}

/** An image to draw, or the reason why it isn't available. */
export type Thumbnail = ThumbnailImage | ThumbnailProblem;

/** LRU cache of images by item ID, limited by size. */
class ThumbnailCache {
  private readonly cached = new Map<string, Thumbnail>();
  private bytes = 0;

  constructor(private readonly limits: { readonly pictures: number; readonly bytes: number }) {}

  get(id: string): Thumbnail | undefined {
    const found = this.cached.get(id);
    if (found === undefined) return undefined;
    // Reinserting moves the entry to the end of the map, which marks it as the most recently used
    // entry.
    this.cached.delete(id);
    this.cached.set(id, found);
    return found;
  }

  has(id: string): boolean {
    return this.cached.has(id);
  }

  set(id: string, thumbnail: Thumbnail): void {
    this.delete(id);
    this.cached.set(id, thumbnail);
    this.bytes += getByteSize(thumbnail);
    for (const oldest of this.cached.keys()) {
      const { pictures, bytes } = this.limits;
      if (oldest === id || (this.cached.size <= pictures && this.bytes <= bytes)) return;
      this.delete(oldest);
    }
  }

  delete(id: string): void {
    const found = this.cached.get(id);
    if (found === undefined) return;
    this.cached.delete(id);
    this.bytes -= getByteSize(found);
    if (typeof found !== 'string') found.bitmap.close();
  }

  clear(): void {
    for (const id of [...this.cached.keys()]) this.delete(id);
  }
}

function getByteSize(thumbnail: Thumbnail): number {
  if (typeof thumbnail === 'string') return 0;
  const { width, height } = thumbnail.bitmap;
  return 4 * width * height;
}
