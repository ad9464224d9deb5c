import type { DescMessage, DescMethod } from '@bufbuild/protobuf';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';
import { DataSyncService } from '../../gen/viam/app/datasync/v1/data_sync_pb';
import { PackageService } from '../../gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { RobotService } from '../../gen/viam/app/v1/robot_pb';

/** Limits on a single request message for a method. */
export interface MessageLimit {
  /** Maximum size after decompression. */
  readonly bytes: number;
  /**
   * Maximum number of fields and elements, which determines how long parsing blocks the event loop.
   */
  readonly values: number;
  /**
   * True if the method stores its message as one document, which can't be split into smaller
   * messages.
   */
  readonly isDocument?: true;
}

export type FindMessageLimit = (method: DescMethod) => MessageLimit;

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/**
 * Maximum message size. Clients send entire files of 64 MiB in one message. The remainder is space
 * for metadata.
 */
export const MAX_MESSAGE_BYTES = 65 * MEBIBYTE;

/**
 * Maximum size of JSON. It is parsed as a whole, in multiple passes, and blocks the event loop.
 * Larger messages must be binary.
 */
export const MAX_JSON_BYTES = 8 * MEBIBYTE;
export const MAX_JSON_VALUES = 100_000;

/**
 * Maximum size of a decompressed message. Copying it blocks the event loop, and even a small
 * request can contain a message of this size.
 */
export const MAX_DECOMPRESSED_BYTES = 16 * MEBIBYTE;

const CREDENTIALS: MessageLimit = { bytes: 64 * KIBIBYTE, values: 1_000 };
/** Default limit of gRPC services. */
const USUAL: MessageLimit = { bytes: 4 * MEBIBYTE, values: 100_000 };
/**
 * Limit for documents. A config with 4 MiB of JSON is several times as large when encoded as a
 * Struct, and a message can contain both forms. The config is parsed in a single step.
 */
const DOCUMENT: MessageLimit = { bytes: 32 * MEBIBYTE, values: 250_000, isDocument: true };
const LOG_LINES: MessageLimit = { bytes: 32 * MEBIBYTE, values: 250_000 };
/** Limit for readings. The embedded store is blocked while it inserts a message's readings. */
const READINGS: MessageLimit = { bytes: MAX_MESSAGE_BYTES, values: 1_000_000 };
const CONTENT: MessageLimit = { bytes: MAX_MESSAGE_BYTES, values: 10_000 };

const LIMITS: readonly (readonly [MessageLimit, readonly DescMethod[]])[] = [
  [CREDENTIALS, [AuthService.method.authenticate]],
  [READINGS, [DataSyncService.method.dataCaptureUpload]],
  [
    CONTENT,
    [
      DataSyncService.method.fileUpload,
      DataSyncService.method.streamingDataCaptureUpload,
      PackageService.method.createPackage,
      AppService.method.uploadModuleFile,
    ],
  ],
  [
    DOCUMENT,
    [
      AppService.method.updateRobotPart,
      AppService.method.createFragment,
      AppService.method.updateFragment,
      AppService.method.updateOrganizationMetadata,
      AppService.method.updateLocationMetadata,
      AppService.method.updateRobotMetadata,
      AppService.method.updateRobotPartMetadata,
    ],
  ],
  [LOG_LINES, [RobotService.method.log]],
];

const LIMIT_OF_METHOD = new Map(
  LIMITS.flatMap(([limit, methods]) => methods.map((method) => [method, limit] as const)),
);

/** Returns a method's limits. The limits are low, except for methods that need more. */
export const findMessageLimit: FindMessageLimit = (method) => LIMIT_OF_METHOD.get(method) ?? USUAL;

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

/** Field whose content is counted, or counted as numbers. */
interface ChildField {
  /** Structure of the content; undefined for a packed list of numbers. */
  readonly getShape: (() => Shape) | undefined;
  /**
   * True for a singular field that is parsed to a JSON object. For each additional occurrence of
   * such a field, the parser converts all data that it has parsed so far. A large number of small
   * occurrences therefore takes quadratic time.
   */
  readonly isConverted: boolean;
}

/** Field structure of a message or map entry: its child fields by number. */
type Shape = readonly (ChildField | undefined)[];

const shapes = new WeakMap<DescMessage, Shape>();

function getShape(message: DescMessage): Shape {
  const known = shapes.get(message);
  if (known !== undefined) return known;
  const shape: (ChildField | undefined)[] = [];
  for (const field of message.fields) {
    if (field.fieldKind === 'message') {
      const isConverted = field.message.typeName === STRUCT;
      shape[field.number] = { getShape: lazyShape(field.message), isConverted };
    }
    if (field.fieldKind === 'list') {
      if (field.listKind === 'message') {
        shape[field.number] = { getShape: lazyShape(field.message), isConverted: false };
      } else if (field.packed) {
        shape[field.number] = { getShape: undefined, isConverted: false };
      }
    }
    if (field.fieldKind === 'map' && field.mapKind === 'message') {
      const entry: (ChildField | undefined)[] = [];
      entry[MAP_VALUE] = { getShape: lazyShape(field.message), isConverted: false };
      shape[field.number] = { getShape: () => entry, isConverted: false };
    }
  }
  shapes.set(message, shape);
  return shape;
}

/** Returns a function that looks up a shape only once. Types can contain themselves. */
function lazyShape(message: DescMessage): () => Shape {
  let shape: Shape | undefined;
  return () => (shape ??= getShape(message));
}

/** Number of values or bytes to process per step. A step takes much less than a millisecond. */
const VALUES_PER_STEP = 2_000;
const JSON_BYTES_PER_STEP = 32 * KIBIBYTE;

/** Message whose fields are being counted. */
interface CountedMessage {
  shape: Shape;
  end: number;
  /** True if the parser converts the message again for each additional occurrence. */
  isConverted: boolean;
  /** Count before the message. */
  countBefore: number;
  /** Values in Structs that the parser converts again for each additional occurrence. */
  converted: number;
}

/**
 * Counts the fields in a binary message, including nested fields, without parsing it, in small
 * steps. Stops at malformed bytes, which the parser reports later.
 * @param max count at which counting stops
 */
export function* countBinaryValues(
  message: DescMessage,
  bytes: Uint8Array,
  max: number,
): Generator<undefined, number, void> {
  const counter = new ValueCounter(message, bytes, max);
  while (counter.countSome()) yield;
  return Math.ceil(counter.count);
}

/**
 * Counts the values in a binary message. The loop is not in the generator itself, where it takes
 * twice as long.
 */
class ValueCounter {
  count = 0;
  private offset = 0;
  private current: CountedMessage;
  /** The message, and the nested messages by depth, whose objects are reused. */
  private readonly levels: CountedMessage[];
  private depth = 0;

  constructor(
    message: DescMessage,
    private readonly bytes: Uint8Array,
    private readonly max: number,
  ) {
    this.current = {
      shape: getShape(message),
      end: bytes.length,
      isConverted: false,
      countBefore: 0,
      converted: 0,
    };
    this.levels = [this.current];
  }

  /** Counts the values of one step. Returns false at the end. */
  countSome(): boolean {
    const stepEnd = this.count + VALUES_PER_STEP;
    while (this.count < stepEnd) {
      const isMore = this.offset < this.current.end ? this.countField() : this.leaveMessage();
      if (!isMore) return false;
    }
    return true;
  }

  /** Returns false if counting must stop. */
  private countField(): boolean {
    const tag = this.readVarint();
    this.count += 1;
    if (this.count >= this.max || !(tag > 0)) return false;
    switch (tag & TAG_TYPE_MASK) {
      case WIRE_TYPE.varint:
        this.readVarint();
        break;
      case WIRE_TYPE.fixed64:
        this.offset += 8;
        break;
      case WIRE_TYPE.fixed32:
        this.offset += 4;
        break;
      case WIRE_TYPE.bytes:
        return this.countContent(Math.floor(tag / 2 ** TAG_TYPE_BITS));
      default:
        // Tags of groups count as fields. No message here contains groups.
        break;
    }
    return true;
  }

  /** Enters a nested message, or skips other content. Returns false if counting must stop. */
  private countContent(field: number): boolean {
    const { current } = this;
    const length = this.readVarint();
    const end = this.offset + length;
    if (!(end <= current.end)) return false;
    const child = field < current.shape.length ? current.shape[field] : undefined;
    if (child?.getShape === undefined) {
      if (child !== undefined) this.count += length / PACKED_BYTES_PER_VALUE;
      this.offset = end;
      return true;
    }
    if (child.isConverted) this.count += current.converted;
    if (this.depth >= MAX_DEPTH) return false;
    this.depth += 1;
    const shape = child.getShape();
    const level = (this.levels[this.depth] ??= { ...current });
    level.shape = shape;
    level.end = end;
    level.isConverted = child.isConverted;
    level.countBefore = this.count;
    level.converted = 0;
    this.current = level;
    return true;
  }

  /** Continues with the outer message. Returns false if there is none. */
  private leaveMessage(): boolean {
    const { end, isConverted, countBefore } = this.current;
    if (this.depth === 0) return false;
    this.depth -= 1;
    const parent = this.levels[this.depth];
    if (parent === undefined) return false;
    // A field's content can end within its last value.
    this.offset = end;
    if (isConverted) parent.converted += this.count - countBefore;
    this.current = parent;
    return true;
  }

  private readVarint(): number {
    const byte = this.bytes[this.offset];
    if (byte === undefined) return NaN;
    if (byte >= LOWEST_LONG_VARINT) return this.readLongVarint();
    this.offset += 1;
    return byte;
  }

  private readLongVarint(): number {
    const { bytes } = this;
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[this.offset];
      if (byte === undefined) return NaN;
      this.offset += 1;
      value += (byte & PAYLOAD_MASK) * factor;
      if (byte < LOWEST_LONG_VARINT) return value;
      factor *= 2 ** VARINT_BITS;
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Counts the values in JSON text by its commas and brackets, without parsing it, in small steps.
 * @param max count at which counting stops
 */
export function* countJsonValues(
  text: Uint8Array,
  max: number,
): Generator<undefined, number, void> {
  let count = 1;
  let stepEnd = JSON_BYTES_PER_STEP;
  for (let offset = 0; offset < text.length && count < max; offset += 1) {
    if (offset >= stepEnd) {
      stepEnd = offset + JSON_BYTES_PER_STEP;
      yield;
    }
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
