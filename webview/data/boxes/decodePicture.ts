import { type DecodedImage, decodeImage } from '../decodeImage';
import { imageHeader } from '../items/imageSize';

/** More is not decoded: it would take gigabytes of memory. */
export const MOST_MEGAPIXELS = 100;
const PIXELS_PER_MEGAPIXEL = 1_000_000;

/** Why a content is not shown as a picture. */
export type PictureProblem =
  | { readonly kind: 'notPicture' | 'broken' }
  | { readonly kind: 'tooLarge'; readonly width: number; readonly height: number };

/** Decodes a picture, whose size is known from its first bytes before anything is done with the others. */
export async function decodePicture(bytes: ArrayBuffer): Promise<DecodedImage | PictureProblem> {
  const header = imageHeader(bytes);
  if (!header) return { kind: 'notPicture' };
  const { type, width, height } = header;
  if (width * height > MOST_MEGAPIXELS * PIXELS_PER_MEGAPIXEL) {
    return { kind: 'tooLarge', width, height };
  }
  return (await decodeImage(bytes, type)) ?? { kind: 'broken' };
}
