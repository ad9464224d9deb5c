const MARKER = 0xff;
const COMMENT = 0xfe;
/** A JPEG starts with this marker, which comments can follow. */
const START_BYTES = 2;
const LENGTH_BYTES = 2;

/** Returns the JPEG with a comment such as a camera writes: the same image, but different bytes. */
export function withComment(jpeg: Uint8Array, comment: string): Uint8Array {
  const text = Buffer.from(comment);
  const head = Buffer.from([MARKER, COMMENT, 0, 0]);
  head.writeUInt16BE(text.length + LENGTH_BYTES, START_BYTES);
  return Buffer.concat([jpeg.subarray(0, START_BYTES), head, text, jpeg.subarray(START_BYTES)]);
}
