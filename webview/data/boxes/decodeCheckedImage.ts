import { type DecodedImage, decodeImage } from '../decodeImage';
import { imageHeader } from '../items/imageSize';

/** Maximum size of a decoded image; larger images would use gigabytes of memory. */
export const MAX_MEGAPIXELS = 100;
const PIXELS_PER_MEGAPIXEL = 1_000_000;

/** Reasons why content can't be shown as an image. */
export type ImageProblem =
  | { readonly kind: 'notPicture' | 'broken' }
  | { readonly kind: 'tooLarge'; readonly width: number; readonly height: number };

/** Decodes an image after checking the size that its header declares. */
export async function decodeCheckedImage(bytes: ArrayBuffer): Promise<DecodedImage | ImageProblem> {
  const header = imageHeader(bytes);
  if (!header) return { kind: 'notPicture' };
  const { type, width, height } = header;
  if (width * height > MAX_MEGAPIXELS * PIXELS_PER_MEGAPIXEL) {
    return { kind: 'tooLarge', width, height };
  }
  return (await decodeImage(bytes, type)) ?? { kind: 'broken' };
}
