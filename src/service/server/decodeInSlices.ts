import {
  create,
  type DescMessage,
  type JsonObject,
  type Message,
  mergeFromBinary,
} from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { decodeStruct } from './decodeStruct';

/**
 * Size of a slice. Parsing this many bytes takes about two milliseconds, regardless of the number
 * of fields.
 */
export const SLICE_BYTES = 16 * 1024;

const STRUCT = 'google.protobuf.Struct';

/**
 * Decodes a binary message in steps. Slices end at field boundaries, so each slice is also a
 * message. Protobuf defines the result of merging the slices as the original message. A large
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
