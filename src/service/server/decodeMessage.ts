import {
  create,
  type DescMessage,
  type JsonObject,
  mergeFromBinary,
  type Message,
} from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { createContextKey, type Interceptor } from '@connectrpc/connect';
import { StructDecoder } from './structDecoder';

/**
 * Size of a slice. Parsing this many bytes takes about two milliseconds, regardless of the number
 * of fields.
 */
export const SLICE_BYTES = 16 * 1024;

const STRUCT = 'google.protobuf.Struct';

/** Depth of the message in a field: the second level. */
const FIRST_DEPTH = 2;
const VALUES_PER_STEP = 100;

/**
 * Decodes a binary message in steps. Slices end at field boundaries, so each slice is also a
 * message, and Protobuf specifies that merging the slices results in the original message. A large
 * Struct is decoded in many steps; any other large field is decoded in one step. Structs in the
 * elements of a list, such as readings, are also decoded here, because the library takes several
 * times as long: it first creates messages for their values.
 * @throws the decoder's error for malformed bytes
 */
export function* decodeInSlices(
  schema: DescMessage,
  source: Uint8Array,
): Generator<undefined, Message, void> {
  // A plain array, because slicing a `Buffer` takes several times as long.
  const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const message = create(schema);
  const members = message as unknown as Record<string, JsonObject | Message[] | undefined>;
  const structFields = getStructFields(schema);
  const listFields = getListFields(schema);
  const reader = new BinaryReader(bytes);
  const structs = new StructDecoder(reader, bytes);
  /** Start of the fields that the library hasn't decoded yet. */
  let start = 0;
  let sliceStart = 0;
  const mergeUntil = (end: number): void => {
    if (start < end) mergeFromBinary(schema, message, bytes.subarray(start, end));
  };
  while (reader.pos < reader.len) {
    const fieldStart = reader.pos;
    const [number, wireType] = reader.tag();
    const contentStart = reader.pos;
    const list = wireType === WireType.LengthDelimited ? listFields.get(number) : undefined;
    if (list !== undefined) {
      const length = reader.uint32();
      const end = reader.pos + length;
      if (length < SLICE_BYTES && end <= reader.len) {
        mergeUntil(fieldStart);
        (members[list.name] as Message[]).push(decodeElement(list, bytes, reader, structs, end));
        start = reader.pos;
        if (start - sliceStart < SLICE_BYTES) continue;
        sliceStart = start;
        yield;
        continue;
      }
      reader.pos = contentStart;
    }
    const size = reader.skip(wireType, number).length;
    const struct = wireType === WireType.LengthDelimited ? structFields.get(number) : undefined;
    if (struct !== undefined && struct.oneof === undefined && size >= SLICE_BYTES) {
      mergeUntil(fieldStart);
      yield;
      reader.pos = contentStart;
      structs.begin((members[struct.name] ??= {}) as JsonObject, FIRST_DEPTH);
      while (structs.decodeSome(VALUES_PER_STEP)) yield;
    } else {
      if (reader.pos - sliceStart < SLICE_BYTES && reader.pos < reader.len) continue;
      mergeUntil(reader.pos);
    }
    start = reader.pos;
    sliceStart = start;
    yield;
  }
  mergeUntil(reader.len);
  return message;
}

/** Decodes the element of a list whose content starts at the reader's position. */
function decodeElement(
  { schema, structFields }: ListField,
  bytes: Uint8Array,
  reader: BinaryReader,
  structs: StructDecoder,
  end: number,
): Message {
  const element = create(schema);
  const members = element as unknown as Record<string, unknown>;
  let start = reader.pos;
  const mergeUntil = (position: number): void => {
    if (start < position) mergeFromBinary(schema, element, bytes.subarray(start, position));
  };
  while (reader.pos < end) {
    const fieldStart = reader.pos;
    const [number, wireType] = reader.tag();
    const struct = structFields.get(number);
    if (struct === undefined || wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      continue;
    }
    // Earlier fields can be other members of the same oneof.
    mergeUntil(fieldStart);
    const { name, oneof } = struct;
    if (oneof === undefined) {
      structs.decodeAll((members[name] ??= {}) as JsonObject, FIRST_DEPTH + 1);
    } else {
      const current = members[oneof] as { case: string; value: JsonObject };
      const value = current.case === name ? current.value : {};
      structs.decodeAll(value, FIRST_DEPTH + 1);
      members[oneof] = { case: name, value };
    }
    start = reader.pos;
  }
  mergeUntil(reader.pos);
  return element;
}

/** Field that is represented as a JSON object. */
interface StructField {
  /** Name of the field, or of its case in a oneof. */
  readonly name: string;
  /** Name of the oneof that contains the field. */
  readonly oneof: string | undefined;
}

/** List whose elements contain fields that are represented as JSON objects. */
interface ListField {
  readonly name: string;
  readonly schema: DescMessage;
  readonly structFields: ReadonlyMap<number, StructField>;
}

/** Returns the fields that are represented as JSON objects, by field number. */
function getStructFields(schema: DescMessage): ReadonlyMap<number, StructField> {
  return new Map(
    schema.fields.flatMap((field) =>
      field.fieldKind === 'message' && field.message.typeName === STRUCT && !field.delimitedEncoding
        ? [[field.number, { name: field.localName, oneof: field.oneof?.localName }] as const]
        : [],
    ),
  );
}

function getListFields(schema: DescMessage): ReadonlyMap<number, ListField> {
  return new Map(
    schema.fields.flatMap((field) => {
      if (field.fieldKind !== 'list' || field.listKind !== 'message') return [];
      const structFields = getStructFields(field.message);
      return structFields.size === 0 || field.delimitedEncoding
        ? []
        : [[field.number, { name: field.localName, schema: field.message, structFields }] as const];
    }),
  );
}

/**
 * A call's messages that were decoded here and not yet passed on by the library, in order. In place
 * of each message, the library receives an empty message.
 */
export type DecodedMessages = DecodedMessage[];

export interface DecodedMessage {
  readonly message: Message;
  /**
   * Frees the memory of the message's bytes, which empties all its `bytes` fields. If absent, the
   * memory is freed by the next garbage collection.
   */
  readonly free?: () => void;
}

export const decodedMessagesKey = createContextKey<DecodedMessages | undefined>(undefined, {
  description: 'the messages that were decoded before the library received them',
});

/**
 * Replaces the empty messages that the library decoded with the messages that were decoded here.
 * Frees a large message when its call succeeds. If the call fails, the handler might still be
 * writing the message to a file.
 */
export const decodedMessageInterceptor: Interceptor = (next) => async (request) => {
  const decoded = request.contextValues.get(decodedMessagesKey);
  if (decoded === undefined) return next(request);
  if (request.stream) return next({ ...request, message: replaceEach(request.message, decoded) });
  const { message, free }: DecodedMessage = decoded.shift() ?? { message: request.message };
  const response = await next({ ...request, message });
  free?.();
  return response;
};

/** The messages in a stream are decoded while the stream is read. */
async function* replaceEach(
  messages: AsyncIterable<Message>,
  decoded: DecodedMessages,
): AsyncGenerator<Message> {
  for await (const message of messages) yield decoded.shift()?.message ?? message;
}
