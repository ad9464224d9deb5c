import { exhausted } from '../errors';

/** As much as public clients take in one message. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What stands before each document in the message. */
const BYTES_BEFORE = 5;
/** Each takes memory beside its bytes. */
const MAX_DOCUMENTS = 500_000;

/**
 * Collects documents for an answer in one message. What is too large ends at once where it comes from.
 * @throws ResourceExhausted
 */
export async function boundedAnswer(documents: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const collected: Uint8Array[] = [];
  let bytes = 0;
  for await (const document of documents) {
    collected.push(document);
    bytes += document.byteLength + BYTES_BEFORE;
    if (bytes > MAX_BYTES || collected.length > MAX_DOCUMENTS) {
      throw exhausted(
        'the result is larger than 32 MiB or 500,000 rows: limit it, select fewer columns, or aggregate',
      );
    }
  }
  return collected;
}
