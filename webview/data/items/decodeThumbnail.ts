import { imageHeader } from './imageSize';

/** More than this is not decoded for a thumbnail. */
const MOST_PIXELS = 100_000_000;

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Why there is no thumbnail. */
export type ThumbnailProblem = 'large' | 'broken' | 'gone' | 'damaged' | 'failed';

/**
 * A picture small enough for a thumbnail of this size, or why there is none. The browser decodes it on a
 * thread of its own.
 */
export async function decodeThumbnail(
  bytes: ArrayBuffer,
  { width, height }: PixelSize,
): Promise<ImageBitmap | ThumbnailProblem> {
  const header = imageHeader(bytes);
  if (!header) return 'broken';
  if (header.width * header.height > MOST_PIXELS) return 'large';
  const blob = new Blob([bytes], { type: header.type });
  // One side alone keeps the shape, also of a picture that is to be turned.
  const isWide = header.width * height > header.height * width;
  const isLarger = header.width > width || header.height > height;
  const resize = isWide ? { resizeWidth: width } : { resizeHeight: height };
  try {
    return await createImageBitmap(blob, {
      ...(isLarger && { ...resize, resizeQuality: 'medium' as const }),
    });
  } catch {
    return 'broken';
  }
}
