import { MongoError } from './mongoError';

/**
 * Maximum nesting depth. MongoDB allows 180 levels for stored documents; no query needs that many.
 */
const MAX_DEPTH = 100;
const LENGTH_BYTES = 4;
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const BINARY = 0x05;
const REGULAR_EXPRESSION = 0x0b;
const POINTER = 0x0c;

/** Sizes in bytes of values of fixed-length types (bsonspec.org). */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  ...{ 0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0a: 0, 0x10: 4, 0x11: 8, 0x12: 8, 0x13: 16 },
  ...{ 0x7f: 0, 0xff: 0 },
};
/** Types that are encoded as strings: strings, JavaScript code, and symbols. */
const TEXTS: readonly number[] = [0x02, 0x0d, 0x0e];

/**
 * Validates the structure of a document and all nested values. Readers can then process it without
 * failing or recursing too deeply.
 * @throws MongoError if the bytes are not a document or are nested too deeply.
 */
export function checkBson(document: Uint8Array): void {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const ends = [bytes.byteLength];
  let offset = getContentStart(bytes, 0, bytes.byteLength);
  for (let end = ends.at(-1); end !== undefined; end = ends.at(-1)) {
    const type = bytes[offset] ?? malformed();
    offset += 1;
    if (type === 0) {
      if (offset !== end) {
        malformed();
      }
      ends.pop();
      continue;
    }
    offset = skipText(bytes, offset);
    if (type === DOCUMENT || type === ARRAY) {
      const innerEnd = offset + lengthAt(bytes, offset);
      if (innerEnd >= end) {
        malformed();
      }
      if (ends.length >= MAX_DEPTH) {
        throw new MongoError(
          'Overflow',
          `documents can be nested up to ${String(MAX_DEPTH)} levels deep`,
        );
      }
      ends.push(innerEnd);
      offset = getContentStart(bytes, offset, innerEnd);
    } else {
      offset = afterValue(bytes, type, offset);
    }
    if (offset > end) {
      malformed();
    }
  }
}

function getContentStart(bytes: Buffer, offset: number, end: number): number {
  return offset + lengthAt(bytes, offset) === end ? offset + LENGTH_BYTES : malformed();
}

function afterValue(bytes: Buffer, type: number, offset: number): number {
  const fixed = FIXED_BYTES[type];
  if (fixed !== undefined) {
    return offset + fixed;
  }
  if (TEXTS.includes(type)) {
    return skipSizedText(bytes, offset);
  }
  switch (type) {
    case BINARY:
      return offset + LENGTH_BYTES + 1 + lengthAt(bytes, offset);
    case REGULAR_EXPRESSION:
      return skipText(bytes, skipText(bytes, offset));
    case POINTER:
      return skipSizedText(bytes, offset) + 12;
    default:
      return malformed();
  }
}

function skipSizedText(bytes: Buffer, offset: number): number {
  const end = offset + LENGTH_BYTES + lengthAt(bytes, offset);
  return end > offset + LENGTH_BYTES && bytes[end - 1] === 0 ? end : malformed();
}

function skipText(bytes: Buffer, offset: number): number {
  const end = bytes.indexOf(0, offset);
  return end < 0 ? malformed() : end + 1;
}

function lengthAt(bytes: Buffer, offset: number): number {
  const length = offset + LENGTH_BYTES > bytes.byteLength ? -1 : bytes.readInt32LE(offset);
  return length < 0 ? malformed() : length;
}

function malformed(): never {
  throw new MongoError('InvalidBSON', 'the command is not a valid BSON document');
}
