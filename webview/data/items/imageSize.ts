/** Image properties from the first bytes of a file. */
export interface ImageHeader {
  readonly type: 'image/png' | 'image/jpeg';
  /** Width in pixels, as stored: the file's orientation can specify a rotation. */
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

/** Iterates over the segments of a JPEG up to the frame header (ITU-T T.81, annex B). */
function jpegHeader(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) {
      return sized('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5));
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    // The image data or the end of the image comes before any frame header.
    else if (marker === 0xd9 || marker === 0xda) return undefined;
    else at += 2 + view.getUint16(at + 2);
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
