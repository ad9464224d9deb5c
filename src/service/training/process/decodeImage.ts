import { decode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { MAX_MEGAPIXELS } from '../managed/annotatedImage';

/** An image as red, green, blue, and alpha bytes, row by row from the top. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const CHANNELS = 4;

/**
 * Rotates an image to its display orientation. Cameras write rows in sensor order and record the
 * orientation in which the camera was held.
 * @param orientation EXIF orientation, from 1 (unchanged) to 8.
 */
export function applyOrientation(picture: RgbaImage, orientation: number): RgbaImage {
  if (orientation < 2 || orientation > 8) return picture;
  const { width, height } = picture;
  // For orientations 5 and above, rows and columns are swapped.
  const isAcross = orientation > 4;
  const [newWidth, newHeight] = isAcross ? [height, width] : [width, height];
  const isFromRight = [2, 3, 7, 8].includes(orientation);
  const isFromBottom = [3, 4, 6, 7].includes(orientation);
  const from = new DataView(picture.pixels.buffer, picture.pixels.byteOffset);
  const pixels = new Uint8Array(width * height * CHANNELS);
  const to = new DataView(pixels.buffer);
  for (let y = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1) {
      const [across, down] = isAcross ? [y, x] : [x, y];
      const column = isFromRight ? width - 1 - across : across;
      const row = isFromBottom ? height - 1 - down : down;
      const value = from.getUint32((row * width + column) * CHANNELS);
      to.setUint32((y * newWidth + x) * CHANNELS, value);
    }
  }
  return { width: newWidth, height: newHeight, pixels };
}

const START_BYTES = 2;
const MARKER = 0xff;
const APP1 = 0xe1;
const START_OF_SCAN = 0xda;
const EXIF = Buffer.from('Exif\0\0');
const LITTLE_ENDIAN = 0x4949;
const ENTRY_BYTES = 12;
const ORIENTATION_TAG = 0x0112;
const AS_IT_IS = 1;

/** Returns the EXIF orientation, from 1 (upright) to 8; 1 if the file doesn't specify it. */
function jpegOrientation(jpeg: Buffer): number {
  try {
    for (let at = START_BYTES; jpeg[at] === MARKER && jpeg[at + 1] !== START_OF_SCAN;) {
      const segment = jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2));
      if (jpeg[at + 1] === APP1 && segment.subarray(0, EXIF.length).equals(EXIF)) {
        return orientationIn(segment.subarray(EXIF.length));
      }
      at += 2 + jpeg.readUInt16BE(at + 2);
    }
  } catch (error) {
    // The block is shorter than its declared length.
    if (!(error instanceof RangeError)) throw error;
  }
  return AS_IT_IS;
}

/** @throws RangeError if the block is truncated. */
function orientationIn(tiff: Buffer): number {
  const isLittle = tiff.readUInt16BE(0) === LITTLE_ENDIAN;
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + entry * ENTRY_BYTES;
    if (short(at) === ORIENTATION_TAG) return short(at + 8);
  }
  return AS_IT_IS;
}

const MAX_MEBIBYTES = 768;
/**
 * Maximum side length of a JPEG image. A longer image would use a lot of memory while it is scaled
 * down.
 */
const MAX_SIDE = 65_535;

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Offset of the width and height in a PNG. */
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;
const PNG_HEAD_BYTES = 24;

/**
 * Decodes a JPEG or PNG file in its display orientation. Detects the type from the bytes, not from
 * the name.
 * @throws Error if the file has neither type, is damaged, or is too large.
 */
export function decodeImage(bytes: Buffer): RgbaImage {
  if (bytes.subarray(0, JPEG_START.length).equals(JPEG_START)) {
    const { width, height, data } = decode(bytes, {
      useTArray: true,
      formatAsRGBA: true,
      tolerantDecoding: true,
      maxResolutionInMP: MAX_MEGAPIXELS,
      maxMemoryUsageInMB: MAX_MEBIBYTES,
    });
    return applyOrientation({ width, height, pixels: data }, jpegOrientation(bytes));
  }
  if (bytes.length > PNG_HEAD_BYTES && bytes.subarray(0, PNG_START.length).equals(PNG_START)) {
    const sides = [bytes.readUInt32BE(PNG_WIDTH_AT), bytes.readUInt32BE(PNG_HEIGHT_AT)] as const;
    if (sides[0] * sides[1] > MAX_MEGAPIXELS * 1e6 || Math.max(...sides) > MAX_SIDE) {
      throw new Error('the image is too large');
    }
    const { width, height, data } = PNG.sync.read(bytes);
    return { width, height, pixels: data };
  }
  throw new Error('neither a JPEG nor a PNG file');
}
