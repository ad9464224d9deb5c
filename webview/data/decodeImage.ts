import type { ImageHeader } from './items/imageSize';

/**
 * Number of bytes at the end of a file in which to search for the image's end marker, because other
 * data can follow it.
 */
const TAIL_BYTES = 64 * 1024;

/** End markers: `IEND` with its checksum for PNG, and the EOI marker for JPEG. */
const ends: Readonly<Record<ImageHeader['type'], readonly number[]>> = {
  'image/png': [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82],
  'image/jpeg': [0xff, 0xd9],
};

export interface DecodedImage {
  readonly bitmap: ImageBitmap;
  /** True if the file doesn't contain the image's end marker, so the bitmap can be incomplete. */
  readonly isCutOff: boolean;
  /** True if only part of the image was decoded; the rest is gray. */
  readonly isPartial: boolean;
}

/**
 * Decodes a PNG or JPEG on a browser thread. A truncated JPEG is decoded as far as possible, at the
 * size of the whole image. Returns undefined if the image is damaged in another way.
 */
export async function decodeImage(
  bytes: ArrayBuffer,
  type: ImageHeader['type'],
  options: ImageBitmapOptions = {},
): Promise<DecodedImage | undefined> {
  const isCutOff = !hasEnd(bytes, ends[type]);
  const whole = await decode([bytes], type, options);
  if (whole) return { bitmap: whole, isCutOff, isPartial: false };
  if (type !== 'image/jpeg') return undefined;
  // With an end marker appended, decoders fill in the missing part instead of rejecting the file.
  const part = await decode([bytes, Uint8Array.from(ends[type])], type, options);
  return part && { bitmap: part, isCutOff, isPartial: true };
}

async function decode(
  parts: BlobPart[],
  type: string,
  options: ImageBitmapOptions,
): Promise<ImageBitmap | undefined> {
  return createImageBitmap(new Blob(parts, { type }), options).catch(() => undefined);
}

function hasEnd(bytes: ArrayBuffer, end: readonly number[]): boolean {
  const tail = new Uint8Array(bytes, Math.max(0, bytes.byteLength - TAIL_BYTES));
  for (let at = tail.length - end.length; at >= 0; at -= 1) {
    if (end.every((byte, index) => tail[at + index] === byte)) return true;
  }
  return false;
}
