import { imageHeader, type ImageHeader } from '../items/imageSize';

/** More is not decoded: it would take gigabytes of memory. */
export const MOST_MEGAPIXELS = 100;
const PIXELS_PER_MEGAPIXEL = 1_000_000;

/** Where the end of a file is looked for: behind it there may be something else. */
const TAIL = 64 * 1024;

/** `IEND` with its checksum, and the end of a JPEG. */
const ends: Readonly<Record<ImageHeader['type'], readonly number[]>> = {
  'image/png': [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82],
  'image/jpeg': [0xff, 0xd9],
};

export interface Picture {
  readonly bitmap: ImageBitmap;
  /** Its end is missing, and what is shown may be a part of it. */
  readonly isCutOff: boolean;
  /** Decoded as far as it goes; the rest is gray. */
  readonly isPartial: boolean;
}

/** Why a content is not shown as a picture. */
export type PictureProblem =
  | { readonly kind: 'notPicture' | 'broken' }
  | { readonly kind: 'tooLarge'; readonly width: number; readonly height: number };

/** Decodes a picture, whose size is known from its first bytes before anything is done with the others. */
export async function decodePicture(bytes: ArrayBuffer): Promise<Picture | PictureProblem> {
  const header = imageHeader(bytes);
  if (!header) return { kind: 'notPicture' };
  const { type, width, height } = header;
  if (width * height > MOST_MEGAPIXELS * PIXELS_PER_MEGAPIXEL) {
    return { kind: 'tooLarge', width, height };
  }
  const isCutOff = !hasEnd(bytes, ends[type]);
  try {
    const bitmap = await createImageBitmap(new Blob([bytes], { type }));
    return { bitmap, isCutOff, isPartial: false };
  } catch {
    const bitmap = type === 'image/jpeg' ? await decodePartialJpeg(bytes) : undefined;
    return bitmap ? { bitmap, isCutOff, isPartial: true } : { kind: 'broken' };
  }
}

/** Decodes what there is of a truncated JPEG, in the size of the whole image. */
async function decodePartialJpeg(bytes: ArrayBuffer): Promise<ImageBitmap | undefined> {
  // With an end marker, decoders fill what is missing instead of rejecting the file.
  const blob = new Blob([bytes, Uint8Array.from(ends['image/jpeg'])], { type: 'image/jpeg' });
  return createImageBitmap(blob).catch(() => undefined);
}

function hasEnd(bytes: ArrayBuffer, end: readonly number[]): boolean {
  const tail = new Uint8Array(bytes, Math.max(0, bytes.byteLength - TAIL));
  for (let at = tail.length - end.length; at >= 0; at -= 1) {
    if (end.every((byte, index) => tail[at + index] === byte)) return true;
  }
  return false;
}
