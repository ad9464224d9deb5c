import { HEADER_BYTES } from './messageStream';
import { OP_MSG, OP_REPLY, type WireRequest } from './wireRequest';

const FLAGS_AND_SECTION_BYTES = 5;
/** Size in bytes of the flags, cursor ID, starting position, and number of documents. */
const LEGACY_FIELDS_BYTES = 20;
/** Flag that indicates support of the AwaitData option. All current servers set it. */
const AWAIT_CAPABLE = 8;

/** Encodes a document as the response to a request, in the request's format. */
export function replyBytes(
  { requestId, isLegacy }: Pick<WireRequest, 'requestId' | 'isLegacy'>,
  document: Uint8Array,
): Uint8Array[] {
  const fieldsBytes = isLegacy ? LEGACY_FIELDS_BYTES : FLAGS_AND_SECTION_BYTES;
  const head = Buffer.alloc(HEADER_BYTES + fieldsBytes);
  head.writeInt32LE(head.byteLength + document.byteLength, 0);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(isLegacy ? OP_REPLY : OP_MSG, 12);
  if (isLegacy) {
    head.writeInt32LE(AWAIT_CAPABLE, HEADER_BYTES);
    head.writeInt32LE(1, head.byteLength - 4);
  }
  return [head, document];
}
