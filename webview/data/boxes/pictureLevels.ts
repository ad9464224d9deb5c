import type { Size } from './boxGeometry';
/** Pictures up to so many pixels are drawn smaller quickly enough as they are. */
const SMALLEST_LEVEL = 1_000_000;

/** A picture with copies of it, each half as large as the one before: a large one is slow to draw small. */
export class PictureLevels {
  private levels: readonly ImageBitmap[];
  private closed = false;

  constructor(private readonly picture: ImageBitmap) {
    this.levels = [picture];
    void this.halve(picture);
  }

  get size(): Size {
    return this.picture;
  }

  /** The smallest copy that has as many pixels as are drawn. @param width in pixels of the device */
  levelFor(width: number): ImageBitmap {
    return this.levels.findLast((level) => level.width >= width) ?? this.picture;
  }

  close(): void {
    this.closed = true;
    for (const level of this.levels) level.close();
  }

  private async halve(from: ImageBitmap): Promise<void> {
    if (from.width * from.height <= SMALLEST_LEVEL) return;
    const half = await createImageBitmap(from, {
      resizeWidth: Math.max(1, Math.round(from.width / 2)),
      resizeHeight: Math.max(1, Math.round(from.height / 2)),
      resizeQuality: 'medium',
      // Without memory for a copy the picture itself is drawn.
    }).catch(() => undefined);
    if (this.closed) half?.close();
    else if (half) {
      this.levels = [...this.levels, half];
      await this.halve(half);
    }
  }
}
