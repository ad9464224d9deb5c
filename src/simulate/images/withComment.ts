const MARKER = 0xff;
const COMMENT = 0xfe;
/** Size of the marker at the start of a JPEG file. Comments can follow this marker. */
const START_BYTES = 2;
const LENGTH_BYTES = 2;

/**
 * Returns a JPEG file with a comment, as cameras add them. The image is the same, but the bytes are
 * different.
 */
export function withComment(jpeg: Uint8Array, comment: string): Uint8Array {
  const text = Buffer.from(comment);
  const head = Buffer.from([MARKER, COMMENT, 0, 0]);
  head.writeUInt16BE(text.length + LENGTH_BYTES, START_BYTES);
  return Buffer.concat([jpeg.subarray(0, START_BYTES), head, text, jpeg.subarray(START_BYTES)]);
}
