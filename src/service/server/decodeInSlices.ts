import { create, type DescMessage, type Message, mergeFromBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { nextTurn } from '../../base/slices';

/** Parsing this much, however many fields it has, takes about two milliseconds. */
export const SLICE_BYTES = 16 * 1024;

/**
 * Decodes a binary message and lets other calls run after each slice. Slices end where fields end: each of them is a
 * message too, and Protobuf defines a message as the result of merging them. A larger field is one slice.
 * @throws the decoder's error for malformed bytes, and the signal's reason
 */
export async function decodeInSlices(
  schema: DescMessage,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Message> {
  const message = create(schema);
  for (const slice of sliceMessage(bytes)) {
    mergeFromBinary(schema, message, slice);
    await nextTurn();
    signal.throwIfAborted();
  }
  return message;
}

function* sliceMessage(bytes: Uint8Array): Generator<Uint8Array, void> {
  const reader = new BinaryReader(bytes);
  let start = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    reader.skip(wireType, field);
    if (reader.pos - start < SLICE_BYTES && reader.pos < reader.len) continue;
    yield bytes.subarray(start, reader.pos);
    start = reader.pos;
  }
}
