import type { DescMessage } from '@bufbuild/protobuf';

const LOWEST_LONG_VARINT = 0x80;
const VARINT_BITS = 7;
const PAYLOAD_MASK = 0x7f;
const TAG_TYPE_BITS = 3;
const TAG_TYPE_MASK = 7;
/**
 * Factor by which parsing a packed list of numbers is faster than parsing the same number of
 * fields.
 */
const PACKED_BYTES_PER_VALUE = 8;

const WIRE_TYPE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
/** Maximum nesting depth that decoders in all languages accept. */
const MAX_DEPTH = 100;

const STRUCT = 'google.protobuf.Struct';

/** Number of the field that contains the value of a map entry. */
const MAP_VALUE = 2;

type Children = ReadonlyMap<number, DescMessage | 'entry' | 'packed'>;

/** Field structure of a message or map entry. */
interface Shape {
  readonly children: Children;
  /**
   * Singular fields that are parsed to JSON objects. For each additional occurrence of such a
   * field, the parser converts all data that it has parsed so far, so many small occurrences take
   * quadratic time.
   */
  readonly convertedFields: ReadonlySet<number>;
  readonly entryByField: ReadonlyMap<number, DescMessage>;
}

const shapes = new WeakMap<DescMessage, Shape>();

function getShape(message: DescMessage): Shape {
  const known = shapes.get(message);
  if (known !== undefined) return known;
  const children = new Map<number, DescMessage | 'entry' | 'packed'>();
  const entryByField = new Map<number, DescMessage>();
  const convertedFields = new Set<number>();
  for (const field of message.fields) {
    if (field.fieldKind === 'message') {
      children.set(field.number, field.message);
      if (field.message.typeName === STRUCT) convertedFields.add(field.number);
    }
    if (field.fieldKind === 'list') {
      if (field.listKind === 'message') children.set(field.number, field.message);
      else if (field.packed) children.set(field.number, 'packed');
    }
    if (field.fieldKind === 'map' && field.mapKind === 'message') {
      children.set(field.number, 'entry');
      entryByField.set(field.number, field.message);
    }
  }
  const shape = { children, convertedFields, entryByField };
  shapes.set(message, shape);
  return shape;
}

/**
 * Counts the fields of a binary message, including nested fields, without parsing it. Stops at
 * malformed bytes, which the parser reports later.
 * @param max count at which counting stops
 */
export function countBinaryValues(message: DescMessage, bytes: Uint8Array, max: number): number {
  let count = 0;
  let offset = 0;

  const readVarint = (): number => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[offset];
      if (byte === undefined) return NaN;
      offset += 1;
      value += (byte & PAYLOAD_MASK) * factor;
      if (byte < LOWEST_LONG_VARINT) return value;
      factor *= 2 ** VARINT_BITS;
    }
  };

  const countRange = (shape: Shape, end: number, depth: number): boolean => {
    if (depth > MAX_DEPTH) return false;
    let converted = 0;
    while (offset < end) {
      const tag = readVarint();
      count += 1;
      if (count >= max || !(tag > 0)) return false;
      switch (tag & TAG_TYPE_MASK) {
        case WIRE_TYPE.varint:
          readVarint();
          break;
        case WIRE_TYPE.fixed64:
          offset += 8;
          break;
        case WIRE_TYPE.fixed32:
          offset += 4;
          break;
        case WIRE_TYPE.bytes: {
          const length = readVarint();
          const next = offset + length;
          if (!(next <= end)) return false;
          const field = Math.floor(tag / 2 ** TAG_TYPE_BITS);
          const child = shape.children.get(field);
          const isConverted = shape.convertedFields.has(field);
          if (isConverted) count += converted;
          const before = count;
          if (child === 'packed') count += length / PACKED_BYTES_PER_VALUE;
          else if (
            child !== undefined &&
            !countRange(childShape(shape, field, child), next, depth + 1)
          ) {
            return false;
          }
          if (isConverted) converted += count - before;
          offset = next;
          break;
        }
        default:
          // Tags of groups count as fields. No message here contains groups.
          break;
      }
    }
    return true;
  };

  countRange(getShape(message), bytes.length, 0);
  return Math.ceil(count);
}

const NO_ENTRIES: ReadonlyMap<number, DescMessage> = new Map();
const NO_FIELDS: ReadonlySet<number> = new Set();

function childShape(shape: Shape, field: number, child: DescMessage | 'entry'): Shape {
  if (child !== 'entry') return getShape(child);
  const value = shape.entryByField.get(field);
  return {
    children: new Map(value && [[MAP_VALUE, value]]),
    ...{ convertedFields: NO_FIELDS, entryByField: NO_ENTRIES },
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Counts the values in JSON text by its commas and brackets, without parsing it.
 * @param max count at which counting stops
 */
export function countJsonValues(text: Uint8Array, max: number): number {
  let count = 1;
  for (let offset = 0; offset < text.length && count < max; offset += 1) {
    const byte = text[offset];
    if (byte === QUOTE) offset = findEndOfString(text, offset);
    else if (byte === COMMA || byte === LIST || byte === OBJECT) count += 1;
  }
  return count;
}

/** Returns the offset of the closing quote of the string that starts at `start`. */
function findEndOfString(text: Uint8Array, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end >= 0; end = text.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (text[before] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
