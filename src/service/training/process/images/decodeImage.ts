import { decode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { MAX_MEGAPIXELS } from '../../managed/imageSize';
import { jpegOrientation } from './jpegOrientation';
import { type RgbaImage, applyOrientation } from './rgbaImage';

const MAX_MEBIBYTES = 768;
/**
 * Maximum side length of a JPEG image. A longer image would use a lot of memory while it is scaled
 * down.
 */
const MAX_SIDE = 65_535;

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Offset of a PNG's width and height. */
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
