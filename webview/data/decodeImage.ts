/**
 * Number of bytes at the end of a file that are searched for the image's end marker. Other data can
 * follow the marker.
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
async function decodeImage(
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

/** Image properties from the first bytes of a file. */
interface ImageHeader {
  readonly type: 'image/png' | 'image/jpeg';
  /** Width in pixels, as stored. The file's orientation can specify a rotation. */
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
const IHDR = 0x49484452;

/** Parses the header of a PNG or JPEG without decoding the image; undefined for other files. */
export function imageHeader(bytes: ArrayBuffer): ImageHeader | undefined {
  const view = new DataView(bytes);
  return pngHeader(view) ?? jpegHeader(view);
}

function pngHeader(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 24) return undefined;
  if (PNG_SIGNATURE.some((byte, at) => view.getUint8(at) !== byte)) return undefined;
  if (view.getUint32(12) !== IHDR) return undefined;
  return sized('image/png', view.getUint32(16), view.getUint32(20));
}

/** Iterates over the segments in a JPEG up to the frame header (ITU-T T.81, annex B). */
function jpegHeader(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isFrame(marker)) {
      return sized('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5));
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
    }
    // The image data or the end of the image comes before any frame header.
    else if (marker === 0xd9 || marker === 0xda) {
      return undefined;
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
  return undefined;
}

/** Returns true for SOF0 to SOF15, excluding the tables whose markers are in the same range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function sized(type: ImageHeader['type'], width: number, height: number): ImageHeader | undefined {
  return width > 0 && height > 0 ? { type, width, height } : undefined;
}

/** Maximum number of pixels in an image to decode for a thumbnail. */
const MAX_PIXELS = 100_000_000;

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface ThumbnailImage {
  readonly bitmap: ImageBitmap;
  /** True if the end of the file is missing. The bitmap can then be incomplete. */
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
  // Setting only one dimension preserves the aspect ratio, even if the image must be rotated.
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
