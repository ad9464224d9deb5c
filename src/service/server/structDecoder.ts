import { isJsonObject } from '../../core/model/isJsonObject';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Field numbers for `google.protobuf.Struct`, `Value`, and `ListValue`, and for a map entry. */
const STRUCT_FIELDS = 1;
const ENTRY = { key: 1, value: 2 } as const;
const VALUE = { null: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;
const LIST_VALUES = 1;

/** Maximum nesting depth that the library decodes. */
const MAX_DEPTH = 100;

/** Maximum length of a text that is cached, because keys and states repeat in all readings. */
const MAX_CACHED_LENGTH = 32;
const CACHE_BITS = 8;
const CACHE_MASK = 0xff;
const MAX_ASCII = 0x7f;
const HASH_FACTOR = 31;

/** Bytes of entries in the encoding that all writers use. */
const KEY_TAG = 0x0a;
const VALUE_TAG = 0x12;
const NULL_TAG = 0x08;
const NUMBER_TAG = 0x11;
const STRING_TAG = 0x1a;
const BOOL_TAG = 0x20;
/** Number of bytes of a number with its tag. */
const NUMBER_LENGTH = 9;
const MIN_SCALAR_LENGTH = 2;
/** Maximum length that is encoded in one byte. */
const MAX_SHORT_LENGTH = 0x7f;

/** Message that is being decoded. Only the members for its kind are used. */
interface Level {
  kind: 'struct' | 'entry' | 'value' | 'list';
  end: number;
  depth: number;
  members: JsonObject;
  items: JsonValue[];
  key: string;
  value: JsonValue;
}

/**
 * Decodes length-prefixed messages `google.protobuf.Struct` at a reader's position, all at once or
 * in small steps. The result is the same as the library's, even for unusual encodings. Throws the
 * reader's error for malformed bytes.
 */
export class StructDecoder {
  /** The nested messages, outermost first, whose objects are reused. */
  private readonly levels: Level[] = [];
  private count = 0;
  private readonly texts = Array<string | undefined>(CACHE_MASK + 1).fill(undefined);

  constructor(
    private readonly reader: BinaryReader,
    private readonly bytes: Uint8Array,
  ) {}

  /**
   * Starts to decode the Struct at the reader's position.
   * @param target object to which the members are added. It contains the members from earlier
   *   occurrences of the field, because Protobuf merges occurrences.
   */
  begin(target: JsonObject, depth: number): void {
    this.count = 0;
    this.enter('struct', depth).members = target;
  }

  /** Decodes the whole Struct at the reader's position. */
  decodeAll(target: JsonObject, depth: number): void {
    this.begin(target, depth);
    this.decodeSome(Infinity);
  }

  /** Decodes a number of values. Returns false at the end of the Struct. */
  decodeSome(maxValues: number): boolean {
    let left = maxValues;
    while (this.count > 0) {
      const level = this.levels[this.count - 1];
      if (level === undefined) return false;
      if (this.reader.pos < level.end) {
        this.readField(level);
        continue;
      }
      this.count -= 1;
      const outer = this.levels[this.count - 1];
      if (level.kind === 'entry') {
        if (outer !== undefined) setMember(outer.members, level.key, level.value);
      } else if (level.kind === 'value') {
        if (outer?.kind === 'list') outer.items.push(level.value);
        else if (outer !== undefined) outer.value = level.value;
        left -= 1;
        if (left <= 0) return true;
      }
    }
    return false;
  }

  private readField(level: Level): void {
    const { reader } = this;
    const [field, wireType] = reader.tag();
    const { depth } = level;
    switch (level.kind) {
      case 'struct':
        if (field !== STRUCT_FIELDS) reader.skip(wireType, field, MAX_DEPTH - depth);
        else if (!this.readScalarEntry(level)) this.enterEntry(depth);
        break;
      case 'entry':
        if (field === ENTRY.key) level.key = this.readText();
        else if (field === ENTRY.value) this.enter('value', depth + 1).value = level.value;
        else reader.skip(wireType, field, MAX_DEPTH - depth);
        break;
      case 'list':
        if (field === LIST_VALUES) this.enter('value', depth + 1).value = null;
        else reader.skip(wireType, field, MAX_DEPTH - depth);
        break;
      case 'value':
        this.readValueField(level, field, wireType);
    }
  }

  private readValueField(level: Level, field: number, wireType: WireType): void {
    const { reader } = this;
    const { value, depth } = level;
    switch (field) {
      case VALUE.null:
        reader.int32();
        level.value = null;
        break;
      case VALUE.number:
        level.value = reader.double();
        break;
      case VALUE.string:
        level.value = this.readText();
        break;
      case VALUE.bool:
        level.value = reader.bool();
        break;
      case VALUE.struct: {
        // Objects and lists from earlier occurrences are merged.
        const members = isJsonObject(value) ? value : {};
        level.value = members;
        this.enter('struct', depth + 1).members = members;
        break;
      }
      case VALUE.list: {
        const items = Array.isArray(value) ? value : [];
        level.value = items;
        this.enter('list', depth + 1).items = items;
        break;
      }
      default:
        reader.skip(wireType, field, MAX_DEPTH - depth);
    }
  }

  /**
   * Reads an entry with a key and a scalar in the encoding that all writers use, which takes a
   * fraction of the time that the general form takes. Returns false for other entries, which it
   * doesn't read.
   */
  private readScalarEntry({ members, depth }: Level): boolean {
    const { reader, bytes } = this;
    const entryStart = reader.pos;
    const entryLength = bytes[entryStart] ?? Infinity;
    const entryEnd = entryStart + 1 + entryLength;
    const keyLength = bytes[entryStart + 2] ?? Infinity;
    const valueStart = entryStart + 3 + keyLength;
    const length = bytes[valueStart + 1] ?? Infinity;
    const contentStart = valueStart + 2;
    if (
      entryLength > MAX_SHORT_LENGTH ||
      keyLength > MAX_SHORT_LENGTH ||
      bytes[entryStart + 1] !== KEY_TAG ||
      bytes[valueStart] !== VALUE_TAG ||
      length < MIN_SCALAR_LENGTH ||
      contentStart + length !== entryEnd ||
      entryEnd > bytes.length ||
      depth >= MAX_DEPTH
    ) {
      return false;
    }
    const tag = bytes[contentStart];
    const content = bytes[contentStart + 1] ?? 0;
    let value: JsonValue;
    if (tag === NUMBER_TAG && length === NUMBER_LENGTH) {
      reader.pos = contentStart + 1;
      value = reader.double();
    } else if (tag === STRING_TAG && content === length - 2) {
      reader.pos = contentStart + 1;
      value = this.readText();
    } else if (tag === BOOL_TAG && length === 2 && content <= 1) {
      value = content === 1;
    } else if (tag === NULL_TAG && length === 2 && content === 0) {
      value = null;
    } else {
      return false;
    }
    reader.pos = entryStart + 2;
    const key = this.readText();
    reader.pos = entryEnd;
    setMember(members, key, value);
    return true;
  }

  /** Enters an entry of a Struct. Entries don't count as a level. */
  private enterEntry(depth: number): void {
    const entry = this.enter('entry', depth);
    entry.key = '';
    entry.value = null;
  }

  /** Enters the message at the reader's position. */
  private enter(kind: Level['kind'], depth: number): Level {
    if (depth > MAX_DEPTH) {
      throw new Error(`can't decode a Struct with more than ${String(MAX_DEPTH)} levels`);
    }
    const length = this.reader.uint32();
    const level = (this.levels[this.count] ??= {
      kind,
      end: 0,
      depth,
      members: {},
      items: [],
      key: '',
      value: null,
    });
    this.count += 1;
    level.kind = kind;
    level.end = this.reader.pos + length;
    level.depth = depth;
    return level;
  }

  /** Reads a string. Returns the same string object for the same short text, without decoding it. */
  private readText(): string {
    const { reader, bytes, texts } = this;
    const length = bytes[reader.pos] ?? Infinity;
    const start = reader.pos + 1;
    const end = start + length;
    if (length > MAX_CACHED_LENGTH || end > bytes.length) return reader.string(true);
    let hash = length;
    for (let index = start; index < end; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte > MAX_ASCII) return reader.string(true);
      hash = Math.imul(hash, HASH_FACTOR) + byte;
    }
    hash = (hash ^ (hash >> CACHE_BITS)) & CACHE_MASK;
    const cached = texts[hash];
    if (cached !== undefined && isText(cached, bytes, start, length)) {
      reader.pos = end;
      return cached;
    }
    const text = reader.string(true);
    texts[hash] = text;
    return text;
  }
}

/** Returns true if bytes are the ASCII characters of a text. */
function isText(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index += 1) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
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
