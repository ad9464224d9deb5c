import { deserialize, type Document } from 'bson';
import { checkBson } from './bsonCheck';
import type { RawMessage } from './messageStream';
import { MongoError, toMongoError } from './mongoError';
import { firstFieldName } from './rawBson';

export const OP_REPLY = 1;
export const OP_QUERY = 2004;
export const OP_COMPRESSED = 2012;
export const OP_MSG = 2013;

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
  /**
   * Fields of the command. Embedded documents are still encoded as BSON, each in a `Uint8Array`.
   */
  fields: Document;
}

const CHECKSUM_PRESENT = 1 << 0;
const MORE_TO_COME = 1 << 1;
/** Flags that a server must support to interpret a message. */
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
 * Returns true if the sender of a message expects a response. Reads only the start of the message.
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
  // The checksum isn't verified, because TCP has its own checksum and TLS has a stronger one.
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
 * Parses the fields of a command. Embedded documents are still encoded as BSON, each in a
 * `Uint8Array`.
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
