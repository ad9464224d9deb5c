import type { Size } from './boxGeometry';
/** Maximum number of pixels for which downscaling an image is fast enough. */
const SMALLEST_LEVEL = 1_000_000;

/**
 * An image with downscaled copies, each half as large as the previous one, because drawing a large
 * image at a small size is slow.
 */
export class ImagePyramid {
  private levels: readonly ImageBitmap[];
  private closed = false;

  constructor(private readonly picture: ImageBitmap) {
    this.levels = [picture];
    void this.halve(picture);
  }

  get size(): Size {
    return this.picture;
  }

  /**
   * Returns the smallest copy that has at least as many pixels as the drawn image.
   * @param width width of the drawn image in device pixels
   */
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
      // If there isn't enough memory for a copy, draw the original image.
    }).catch(() => undefined);
    if (this.closed) half?.close();
    else if (half) {
      this.levels = [...this.levels, half];
      await this.halve(half);
    }
  }
}
