/** Minimum size of a document, which consists of at least its length and a terminating zero. */
const MIN_BYTES = 5;

/**
 * Splits consecutive BSON documents. The results share the memory of `bytes`.
 * @throws if `bytes` doesn't contain valid documents.
 */
export function documentsIn(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const documents: Uint8Array[] = [];
  for (let start = 0; start < bytes.byteLength;) {
    const left = bytes.byteLength - start;
    const length = left >= MIN_BYTES ? view.getInt32(start, true) : 0;
    if (length < MIN_BYTES || length > left) {
      throw new Error('BSON documents were expected, but the data is something else');
    }
    documents.push(bytes.subarray(start, start + length));
    start += length;
  }
  return documents;
}
