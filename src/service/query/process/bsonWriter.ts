import { exhausted } from './jobError';

/** Types of BSON elements that are used here (bsonspec.org). */
const DOUBLE = 0x01;
const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const BINARY = 0x05;
const BOOLEAN = 0x08;
const DATE = 0x09;
const NULL = 0x0a;
const INT32 = 0x10;
const INT64 = 0x12;
const DECIMAL128 = 0x13;

const MAX_INT32 = 2 ** 31 - 1;
const MIN_INT32 = -(2 ** 31);
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
/** Maximum coefficient of a Decimal128. */
const MAX_DECIMAL = 10n ** 34n - 1n;
const DECIMAL_EXPONENT_BIAS = 6176n;
const BYTES_PER_CHAR = 3;

/** Maximum document size, which is MongoDB's limit. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 100;
const TOGETHER_BYTES = 64 * 1024;
const MAX_KNOWN_NAMES = 1000;

/** Writes concatenated BSON documents. */
export class BsonWriter {
  private bytes = Buffer.allocUnsafe(TOGETHER_BYTES);
  private start = 0;
  private end = 0;
  private depth = 0;
  /** Cache of encoded field names. Most documents have the same field names. */
  private readonly names = new Map<string, Uint8Array>();

  /** Number of buffered bytes. */
  get byteLength(): number {
    return this.end;
  }

  /**
   * True if the buffer contains enough documents for a batch. Sending documents individually would
   * be much more expensive.
   */
  get isFull(): boolean {
    return this.end > TOGETHER_BYTES;
  }

  /** Returns the documents written since the last call. */
  take(): Uint8Array {
    const taken = Buffer.from(this.bytes.subarray(0, this.end));
    this.end = 0;
    return taken;
  }

  /**
   * Writes a document. `write` adds its elements.
   * @throws ResourceExhausted if the document is too large or nested too deeply. After this error,
   *   the writer can no longer be used.
   */
  document(write: () => void): void {
    this.start = this.end;
    this.depth = 0;
    this.nested(write);
  }

  null(name: string): void {
    this.element(NULL, name);
  }

  boolean(name: string, value: boolean): void {
    this.element(BOOLEAN, name);
    this.byte(value ? 1 : 0);
  }

  double(name: string, value: number): void {
    this.element(DOUBLE, name);
    this.end = this.room(8).writeDoubleLE(value, this.end);
  }

  /**
   * Writes an integer as the smallest BSON integer type that can represent it, or as a decimal if
   * it is too large for every integer type.
   */
  integer(name: string, value: number | bigint): void {
    if (value >= MIN_INT32 && value <= MAX_INT32) {
      this.element(INT32, name);
      this.int32(Number(value));
    } else if (value >= MIN_INT64 && value <= MAX_INT64) {
      this.element(INT64, name);
      this.int64(BigInt(value));
    } else {
      this.decimal(name, BigInt(value), 0);
    }
  }

  /** Writes `coefficient * 10 ** -scale` as a Decimal128, or as text if it has too many digits. */
  decimal(name: string, coefficient: bigint, scale: number): void {
    const digits = coefficient < 0n ? -coefficient : coefficient;
    const sign = coefficient < 0n ? '-' : '';
    if (digits > MAX_DECIMAL) {
      const padded = String(digits).padStart(scale + 1, '0');
      const point = padded.length - scale;
      const fraction = scale > 0 ? `.${padded.slice(point)}` : '';
      this.string(name, `${sign}${padded.slice(0, point)}${fraction}`);
      return;
    }
    const exponent = DECIMAL_EXPONENT_BIAS - BigInt(scale);
    const high = (sign === '' ? 0n : 1n << 63n) | (exponent << 49n) | (digits >> 64n);
    this.element(DECIMAL128, name);
    this.uint64(digits & 0xffff_ffff_ffff_ffffn);
    this.uint64(high);
  }

  /** @param at milliseconds since the Unix epoch. */
  date(name: string, at: bigint): void {
    this.element(DATE, name);
    this.int64(at);
  }

  string(name: string, value: string): void {
    this.element(STRING, name);
    const bytes = this.room(4 + value.length * BYTES_PER_CHAR + 1);
    const length = bytes.write(value, this.end + 4) + 1;
    this.int32(length);
    this.end += length - 1;
    this.byte(0);
  }

  /** @param subtype subtype of BSON binary data; 0 for generic bytes. */
  binary(name: string, value: Uint8Array, subtype = 0): void {
    this.element(BINARY, name);
    this.int32(value.byteLength);
    this.byte(subtype);
    this.room(value.byteLength).set(value, this.end);
    this.end += value.byteLength;
  }

  /** Writes an embedded document. `write` adds its elements. */
  object(name: string, write: () => void): void {
    this.element(DOCUMENT, name);
    this.nested(write);
  }

  /** Writes an array. `write` adds the elements, which are named by their indexes. */
  array(name: string, write: () => void): void {
    this.element(ARRAY, name);
    this.nested(write);
  }

  private nested(write: () => void): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) {
      throw exhausted(`a row is nested deeper than ${String(MAX_DEPTH)} levels`);
    }
    const start = this.end;
    this.int32(0);
    write();
    this.byte(0);
    this.bytes.writeInt32LE(this.end - start, start);
    this.depth -= 1;
  }

  private element(type: number, name: string): void {
    const known = this.names.get(name) ?? this.newName(name);
    const bytes = this.room(1 + known.byteLength);
    bytes[this.end] = type;
    bytes.set(known, this.end + 1);
    this.end += 1 + known.byteLength;
  }

  private newName(name: string): Uint8Array {
    // BSON names end at the first NUL character, so NUL characters in the name are replaced.
    const bytes = Buffer.from(`${name.replaceAll('\0', '\u{fffd}')}\0`);
    if (this.names.size < MAX_KNOWN_NAMES) this.names.set(name, bytes);
    return bytes;
  }

  private byte(value: number): void {
    this.room(1)[this.end] = value;
    this.end += 1;
  }

  private int32(value: number): void {
    this.end = this.room(4).writeInt32LE(value, this.end);
  }

  private int64(value: bigint): void {
    this.end = this.room(8).writeBigInt64LE(value, this.end);
  }

  private uint64(value: bigint): void {
    this.end = this.room(8).writeBigUInt64LE(value, this.end);
  }

  private room(more: number): Buffer {
    const requiredEnd = this.end + more;
    if (requiredEnd > this.bytes.byteLength) {
      if (requiredEnd - this.start > BYTES_PER_CHAR * MAX_DOCUMENT_BYTES) throw tooLarge();
      const larger = Buffer.allocUnsafe(Math.max(requiredEnd, this.bytes.byteLength * 2));
      this.bytes.copy(larger, 0, 0, this.end);
      this.bytes = larger;
    }
    if (this.end - this.start > MAX_DOCUMENT_BYTES) throw tooLarge();
    return this.bytes;
  }
}

function tooLarge(): Error {
  return exhausted('a row is larger than 16 MiB: select fewer columns');
}
