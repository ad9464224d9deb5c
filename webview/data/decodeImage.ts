import type { ImageHeader } from './items/imageSize';

/**
 * Number of bytes at the end of a file to search for the end of its image, which other data can
 * follow.
 */
const TAIL_BYTES = 64 * 1024;

/** `IEND` with its checksum, and the end marker of a JPEG. */
const ends: Readonly<Record<ImageHeader['type'], readonly number[]>> = {
  'image/png': [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82],
  'image/jpeg': [0xff, 0xd9],
};

export interface DecodedImage {
  readonly bitmap: ImageBitmap;
  /** True if the image's end marker is missing from the file: the bitmap can be incomplete. */
  readonly isCutOff: boolean;
  /** True if only a part of the image was decoded; the rest is gray. */
  readonly isPartial: boolean;
}

/**
 * Decodes a PNG or JPEG on a browser thread, and a truncated JPEG as far as possible, in the size
 * of the whole image. Returns undefined for other damage.
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
  // With an end marker, decoders fill in what is missing instead of rejecting the file.
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
