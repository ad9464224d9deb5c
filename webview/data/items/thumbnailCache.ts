import type { ThumbnailImage, ThumbnailProblem } from './decodeThumbnail';

/** An image to draw, or the reason why it isn't available. */
export type Thumbnail = ThumbnailImage | ThumbnailProblem;

/** LRU cache of images by item ID, limited by size. */
export class ThumbnailCache {
  private readonly cached = new Map<string, Thumbnail>();
  private bytes = 0;

  constructor(private readonly limits: { readonly pictures: number; readonly bytes: number }) {}

  get(id: string): Thumbnail | undefined {
    const found = this.cached.get(id);
    if (found === undefined) return undefined;
    // Reinserting moves the entry to the end of the map, as the most recently used.
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
