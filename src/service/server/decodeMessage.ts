import {
  create,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  mergeFromBinary,
  type Message,
} from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { createContextKey, type Interceptor } from '@connectrpc/connect';

/**
 * Size of a slice. Parsing this many bytes takes about two milliseconds, regardless of the number
 * of fields.
 */
export const SLICE_BYTES = 16 * 1024;

const STRUCT = 'google.protobuf.Struct';

/**
 * Decodes a binary message in steps. Slices end at field boundaries, so each slice is also a
 * message, and Protobuf specifies that merging the slices results in the original message. A large
 * Struct is decoded in many steps; any other large field is decoded in one step.
 * @throws the decoder's error for malformed bytes
 */
export function* decodeInSlices(
  schema: DescMessage,
  bytes: Uint8Array,
): Generator<undefined, Message, void> {
  const message = create(schema);
  const structs = getStructFields(schema);
  const reader = new BinaryReader(bytes);
  let start = 0;
  while (reader.pos < reader.len) {
    const fieldStart = reader.pos;
    const [number, wireType] = reader.tag();
    const field = reader.skip(wireType, number);
    const name = structs.get(number);
    if (
      name !== undefined &&
      wireType === WireType.LengthDelimited &&
      field.length >= SLICE_BYTES
    ) {
      mergeFromBinary(schema, message, bytes.subarray(start, fieldStart));
      yield;
      const members = message as unknown as Record<string, JsonObject | undefined>;
      const target = (members[name] ??= {});
      yield* decodeStruct(new BinaryReader(field), target);
      start = reader.pos;
      continue;
    }
    if (reader.pos - start < SLICE_BYTES && reader.pos < reader.len) continue;
    mergeFromBinary(schema, message, bytes.subarray(start, reader.pos));
    start = reader.pos;
    yield;
  }
  return message;
}

/** Returns the names of the fields that are represented as JSON objects, by field number. */
function getStructFields(schema: DescMessage): ReadonlyMap<number, string> {
  return new Map(
    schema.fields.flatMap((field) =>
      field.fieldKind === 'message' &&
      field.message.typeName === STRUCT &&
      field.oneof === undefined &&
      !field.delimitedEncoding
        ? [[field.number, field.localName] as const]
        : [],
    ),
  );
}

/** Field numbers for `google.protobuf.Struct`, `Value`, and `ListValue`, and for a map entry. */
const STRUCT_FIELDS = 1;
const ENTRY = { key: 1, value: 2 } as const;
const VALUE = { null: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;
const LIST_VALUES = 1;

/**
 * Maximum nesting depth that the library decodes. The message in a field is on the second level.
 */
const MAX_DEPTH = 100;
const FIRST_DEPTH = 2;
const VALUES_PER_STEP = 100;

type Steps<T> = Generator<undefined, T, void>;

/**
 * Decodes the length-prefixed `google.protobuf.Struct` at the reader's position, in small steps.
 * The result is the same as the library's, even for unusual encodings.
 * @param target object to which the members are added. It contains the members from earlier
 *   occurrences of the field, because Protobuf merges occurrences.
 * @throws the reader's error for malformed bytes
 */
function decodeStruct(reader: BinaryReader, target: JsonObject): Steps<void> {
  return new StructDecoder(reader).readStruct(target, FIRST_DEPTH);
}

class StructDecoder {
  private valueCount = 0;

  constructor(private readonly reader: BinaryReader) {}

  *readStruct(target: JsonObject, depth: number): Steps<void> {
    const { reader } = this;
    const end = this.enterMessage(depth);
    while (reader.pos < end) {
      const [field, wireType] = reader.tag();
      if (field === STRUCT_FIELDS) yield* this.readEntry(target, depth);
      else reader.skip(wireType, field, MAX_DEPTH - depth);
    }
  }

  private *readEntry(target: JsonObject, depth: number): Steps<void> {
    const { reader } = this;
    const length = reader.uint32();
    const end = reader.pos + length;
    let key = '';
    let value: JsonValue = null;
    while (reader.pos < end) {
      const [field, wireType] = reader.tag();
      if (field === ENTRY.key) key = reader.string(true);
      else if (field === ENTRY.value) value = yield* this.readValue(value, depth + 1);
      else reader.skip(wireType, field, MAX_DEPTH - depth);
    }
    setMember(target, key, value);
  }

  private *readList(target: JsonValue[], depth: number): Steps<void> {
    const { reader } = this;
    const end = this.enterMessage(depth);
    while (reader.pos < end) {
      const [field, wireType] = reader.tag();
      if (field === LIST_VALUES) target.push(yield* this.readValue(null, depth + 1));
      else reader.skip(wireType, field, MAX_DEPTH - depth);
    }
  }

  /** @param earlier value from an earlier occurrence, into which objects and lists are merged */
  private *readValue(earlier: JsonValue, depth: number): Steps<JsonValue> {
    const { reader } = this;
    const end = this.enterMessage(depth);
    let value = earlier;
    this.valueCount += 1;
    if (this.valueCount % VALUES_PER_STEP === 0) yield;
    while (reader.pos < end) {
      const [field, wireType] = reader.tag();
      switch (field) {
        case VALUE.null:
          reader.int32();
          value = null;
          break;
        case VALUE.number:
          value = reader.double();
          break;
        case VALUE.string:
          value = reader.string(true);
          break;
        case VALUE.bool:
          value = reader.bool();
          break;
        case VALUE.struct: {
          const members: JsonObject = isObject(value) ? value : {};
          yield* this.readStruct(members, depth + 1);
          value = members;
          break;
        }
        case VALUE.list: {
          const items: JsonValue[] = Array.isArray(value) ? value : [];
          yield* this.readList(items, depth + 1);
          value = items;
          break;
        }
        default:
          reader.skip(wireType, field, MAX_DEPTH - depth);
      }
    }
    return value;
  }

  /** Returns the end of the message at the reader's position. */
  private enterMessage(depth: number): number {
    if (depth > MAX_DEPTH) {
      throw new Error(`can't decode a Struct with more than ${String(MAX_DEPTH)} levels`);
    }
    const length = this.reader.uint32();
    return this.reader.pos + length;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a member, even if it has the same name as an inherited property. */
function setMember(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    target[key] = value;
  }
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
