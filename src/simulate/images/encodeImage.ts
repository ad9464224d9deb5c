import { encode } from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Canvas } from './canvas';

export type ImageFormat = 'jpeg' | 'png';

/** File extensions and MIME types by format. */
export const IMAGE_FILES: Readonly<
  Record<ImageFormat, { fileExtension: string; mimeType: string }>
> = {
  jpeg: { fileExtension: '.jpg', mimeType: 'image/jpeg' },
  png: { fileExtension: '.png', mimeType: 'image/png' },
};

const JPEG_QUALITY = 82;
const RGB = 2;
/**
 * PNG filter that stores each row as its difference from the row above. It is fast, and files of
 * smooth scenes are small.
 */
const UP_FILTER = 2;

/** Returns the bytes of an image file. */
export function encodeImage({ width, height, pixels }: Canvas, format: ImageFormat): Uint8Array {
  if (format === 'jpeg') return encode({ width, height, data: pixels }, JPEG_QUALITY).data;
  const png = new PNG({ width, height });
  png.data = pixels;
  return PNG.sync.write(png, { colorType: RGB, filterType: UP_FILTER });
}

const MARKER = 0xff;
const COMMENT = 0xfe;
/** Size of the marker at the start of a JPEG file. Comments can follow this marker. */
const START_BYTES = 2;
const LENGTH_BYTES = 2;

/**
 * Returns a JPEG file with an added comment, like the comments that cameras add. The image is the
 * same, but the bytes are different.
 */
export function withComment(jpeg: Uint8Array, comment: string): Uint8Array {
  const text = Buffer.from(comment);
  const head = Buffer.from([MARKER, COMMENT, 0, 0]);
  head.writeUInt16BE(text.length + LENGTH_BYTES, START_BYTES);
  return Buffer.concat([jpeg.subarray(0, START_BYTES), head, text, jpeg.subarray(START_BYTES)]);
}
