import { deserialize, type Document } from 'bson';
import { HEADER_BYTES, type RawMessage } from './messageStream';
import { MongoError, toMongoError } from './mongoError';
import { firstFieldName } from './rawBson';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_COMPRESSED = 2012;
const OP_MSG = 2013;

/** A command received from a client. */
export interface WireRequest {
  requestId: number;
  /** True if the command was sent in the legacy format. The response must use the same format. */
  isLegacy: boolean;
  /** True if the client expects no response. */
  isUnanswered: boolean;
  database: string;
  /** Name of the command, which is the name of its first field. */
  name: string;
  /** The command's fields. Embedded documents are still encoded as BSON, each in a `Uint8Array`. */
  fields: Document;
}

const CHECKSUM_PRESENT = 1 << 0;
const MORE_TO_COME = 1 << 1;
/** Flags in a message that a server must support to interpret the message. */
const REQUIRED_FLAGS = 0xffff;
const CHECKSUM_BYTES = 4;
const BODY_SECTION = 0;
const SEQUENCE_SECTION = 1;
const COMMAND_COLLECTION = '.$cmd';
const WRAPPED_COMMAND = '$query';
/** Size of the flags before the collection name. The name is followed by two numbers. */
const QUERY_FLAGS_BYTES = 4;
const QUERY_NUMBERS_BYTES = 8;

/**
 * Parses a command.
 * @throws MongoError if the command is malformed; a different error if the whole message is
 *   malformed.
 */
export function readRequest(message: RawMessage): WireRequest {
  switch (message.opCode) {
    case OP_MSG:
      return readMessage(message);
    case OP_QUERY:
      return readLegacyQuery(message);
    case OP_COMPRESSED:
      throw new MongoError(
        'ProtocolError',
        'compressed messages are not supported: connect without the option "compressors"',
      );
    default:
      throw new Error('the client sent a message of an unknown kind');
  }
}

/**
 * Returns true if a message's sender expects a response. Reads only the beginning of the message.
 */
export function expectsReply({ opCode, body }: RawMessage): boolean {
  const isUnanswered = (body.readUInt32LE(0) & MORE_TO_COME) !== 0;
  return opCode === OP_COMPRESSED || (opCode === OP_MSG && !isUnanswered);
}

function readMessage({ requestId, body }: RawMessage): WireRequest {
  const flags = body.readUInt32LE(0);
  if ((flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) {
    throw new Error('the client sent a message with unknown flags');
  }
  // The checksum isn't verified, because TCP already has a checksum and TLS has a stronger one.
  const end = body.byteLength - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : CHECKSUM_BYTES);
  let command: Buffer | undefined;
  for (let start = 4; start < end;) {
    const kind = body.readUInt8(start);
    const section = sizedBytes(body.subarray(start + 1, end));
    if (kind === BODY_SECTION && command === undefined) {
      command = section;
    } else if (kind !== SEQUENCE_SECTION) {
      throw new Error('the client sent a message with unknown contents');
    }
    // Document sequences occur only in write commands, which are rejected by name.
    start += 1 + section.byteLength;
  }
  const { name, fields } = readCommand(command);
  const database: unknown = fields.$db;
  return {
    requestId,
    isLegacy: false,
    isUnanswered: (flags & MORE_TO_COME) !== 0,
    database: typeof database === 'string' ? database : '',
    name,
    fields,
  };
}

function readLegacyQuery({ requestId, body }: RawMessage): WireRequest {
  const nameEnd = body.indexOf(0, QUERY_FLAGS_BYTES);
  const collection = body.toString('utf8', QUERY_FLAGS_BYTES, nameEnd);
  if (nameEnd < 0 || !collection.endsWith(COMMAND_COLLECTION)) {
    throw new Error('the client sent an obsolete query message');
  }
  const query = sizedBytes(body.subarray(nameEnd + 1 + QUERY_NUMBERS_BYTES));
  const outer = readCommand(query);
  const wrapped: unknown = outer.fields[WRAPPED_COMMAND];
  const { name, fields } =
    outer.name === WRAPPED_COMMAND && wrapped instanceof Uint8Array ? readCommand(wrapped) : outer;
  const database = collection.slice(0, -COMMAND_COLLECTION.length);
  return { requestId, isLegacy: true, isUnanswered: false, database, name, fields };
}

/** Returns a value that starts with its own length. */
function sizedBytes(bytes: Buffer): Buffer {
  const length = bytes.readInt32LE(0);
  if (length < 5 || length > bytes.byteLength) {
    throw new Error('the client sent a document with a wrong length');
  }
  return bytes.subarray(0, length);
}

/**
 * Parses a command's fields. Embedded documents are still encoded as BSON, each in a `Uint8Array`.
 * @throws MongoError if the command is malformed.
 */
function readFields(bytes: Uint8Array): Document {
  checkBson(bytes);
  try {
    return deserialize(bytes, { raw: true });
  } catch (error) {
    throw toMongoError(error, String);
  }
}

function readCommand(bytes: Uint8Array | undefined): Pick<WireRequest, 'name' | 'fields'> {
  const name = bytes && firstFieldName(bytes);
  if (bytes === undefined || name === undefined) {
    throw new Error('the client sent a message without a command');
  }
  return { name, fields: readFields(bytes) };
}

const FLAGS_AND_SECTION_BYTES = 5;
/** Size, in bytes, of the flags, cursor ID, starting position, and number of documents. */
const LEGACY_FIELDS_BYTES = 20;
/** Flag that indicates support for the AwaitData option. All current servers set it. */
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

/** Sizes, in bytes, of the value types with a fixed length (bsonspec.org). */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  0x01: 8,
  0x06: 0,
  0x07: 12,
  0x08: 1,
  0x09: 8,
  0x0a: 0,
  0x10: 4,
  0x11: 8,
  0x12: 8,
  0x13: 16,
  0x7f: 0,
  0xff: 0,
};
/** Types that are encoded as strings: strings, JavaScript code, and symbols. */
const TEXTS: readonly number[] = [0x02, 0x0d, 0x0e];

/**
 * Validates a document's structure and all nested values. Readers can then process it without
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
      if (offset !== end) malformed();
      ends.pop();
      continue;
    }
    offset = skipText(bytes, offset);
    if (type === DOCUMENT || type === ARRAY) {
      const innerEnd = offset + lengthAt(bytes, offset);
      if (innerEnd >= end) malformed();
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
    if (offset > end) malformed();
  }
}

function getContentStart(bytes: Buffer, offset: number, end: number): number {
  return offset + lengthAt(bytes, offset) === end ? offset + LENGTH_BYTES : malformed();
}

function afterValue(bytes: Buffer, type: number, offset: number): number {
  const fixed = FIXED_BYTES[type];
  if (fixed !== undefined) return offset + fixed;
  if (TEXTS.includes(type)) return skipSizedText(bytes, offset);
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
