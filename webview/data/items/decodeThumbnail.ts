import { decodeImage } from '../decodeImage';
import { imageHeader } from './imageSize';

/** Maximum number of pixels of an image that is decoded for a thumbnail. */
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

/** Reasons why there is no thumbnail. */
export type ThumbnailProblem = 'large' | 'broken' | 'gone' | 'damaged' | 'failed';

/**
 * Returns an image small enough for a thumbnail of this size, or the reason why there is none. The
 * browser decodes it on a separate thread.
 */
export async function decodeThumbnail(
  bytes: ArrayBuffer,
  { width, height }: PixelSize,
): Promise<ThumbnailImage | ThumbnailProblem> {
  const header = imageHeader(bytes);
  if (!header) return 'broken';
  if (header.width * header.height > MAX_PIXELS) return 'large';
  // Setting only one side keeps the aspect ratio, even if the image must be rotated.
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
