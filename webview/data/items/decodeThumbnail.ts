import { decodeImage } from '../decodeImage';
import { imageHeader } from './imageSize';

/** Maximum number of pixels of an image to decode for a thumbnail. */
const MAX_PIXELS = 100_000_000;

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface ThumbnailImage {
  readonly bitmap: ImageBitmap;
  /** True if the end of the file is missing: the bitmap can be incomplete. */
  readonly isTruncated: boolean;
}

/** Reasons why a thumbnail isn't available. */
export type ThumbnailProblem = 'large' | 'broken' | 'gone' | 'damaged' | 'failed';

/**
 * Decodes an image at a size sufficient for a thumbnail, on a browser thread. Returns the reason if
 * that isn't possible.
 */
export async function decodeThumbnail(
  bytes: ArrayBuffer,
  { width, height }: PixelSize,
): Promise<ThumbnailImage | ThumbnailProblem> {
  const header = imageHeader(bytes);
  if (!header) return 'broken';
  if (header.width * header.height > MAX_PIXELS) return 'large';
  // Setting only one dimension keeps the aspect ratio, even if the image must be rotated.
  const isWide = header.width * height > header.height * width;
  const isLarger = header.width > width || header.height > height;
  const resize = isWide ? { resizeWidth: width } : { resizeHeight: height };
  const decoded = await decodeImage(bytes, header.type, {
    ...(isLarger && { ...resize, resizeQuality: 'medium' as const }),
  });
  return decoded
    ? { bitmap: decoded.bitmap, isTruncated: decoded.isCutOff || decoded.isPartial }
    : 'broken';
}
