import { exhausted } from './jobError';

/** The types of BSON elements that are written here (bsonspec.org). */
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

const MAX_INT32 = 2 ** 31 - 1;
const MIN_INT32 = -(2 ** 31);
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** As MongoDB's own. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 100;
const FIRST_BYTES = 4096;

/** Writes BSON documents one after the other, into the same memory. */
export class BsonWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #end = 0;
  #depth = 0;

  /**
   * Writes a document, whose elements `write` adds.
   * @returns a copy of its bytes.
   * @throws ResourceExhausted when it is too large or nested too deep.
   */
  document(write: () => void): Uint8Array {
    this.#end = 0;
    this.#depth = 0;
    this.#nested(write);
    return Buffer.from(this.#bytes.subarray(0, this.#end));
  }

  null(name: string): void {
    this.#element(NULL, name);
  }

  boolean(name: string, value: boolean): void {
    this.#element(BOOLEAN, name);
    this.#byte(value ? 1 : 0);
  }

  double(name: string, value: number): void {
    this.#element(DOUBLE, name);
    this.#end = this.#room(8).writeDoubleLE(value, this.#end);
  }

  /** As the smallest of BSON's types of integers; a double beyond them. */
  integer(name: string, value: number | bigint): void {
    if (value >= MIN_INT32 && value <= MAX_INT32) {
      this.#element(INT32, name);
      this.#int32(Number(value));
    } else if (value >= MIN_INT64 && value <= MAX_INT64) {
      this.#element(INT64, name);
      this.#int64(BigInt(value));
    } else {
      this.double(name, Number(value));
    }
  }

  /** @param at in milliseconds since the Unix epoch. */
  date(name: string, at: bigint): void {
    this.#element(DATE, name);
    this.#int64(at);
  }

  string(name: string, value: string): void {
    this.#element(STRING, name);
    const length = Buffer.byteLength(value) + 1;
    this.#int32(length);
    this.#end += this.#room(length).write(value, this.#end);
    this.#byte(0);
  }

  binary(name: string, value: Uint8Array): void {
    this.#element(BINARY, name);
    this.#int32(value.byteLength);
    this.#byte(0);
    this.#room(value.byteLength).set(value, this.#end);
    this.#end += value.byteLength;
  }

  /** An embedded document, whose elements `write` adds. */
  object(name: string, write: () => void): void {
    this.#element(DOCUMENT, name);
    this.#nested(write);
  }

  /** An array: `write` adds its elements, which are named by their positions. */
  array(name: string, write: () => void): void {
    this.#element(ARRAY, name);
    this.#nested(write);
  }

  #nested(write: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw exhausted(`a row is nested deeper than ${String(MAX_DEPTH)} levels`);
    }
    const start = this.#end;
    this.#int32(0);
    write();
    this.#byte(0);
    this.#bytes.writeInt32LE(this.#end - start, start);
    this.#depth -= 1;
  }

  #element(type: number, name: string): void {
    this.#byte(type);
    // A name ends with the first zero.
    const safe = name.includes('\0') ? name.replaceAll('\0', '\u{fffd}') : name;
    this.#end += this.#room(safe.length * 3).write(safe, this.#end);
    this.#byte(0);
  }

  #byte(value: number): void {
    this.#room(1)[this.#end] = value;
    this.#end += 1;
  }

  #int32(value: number): void {
    this.#end = this.#room(4).writeInt32LE(value, this.#end);
  }

  #int64(value: bigint): void {
    this.#end = this.#room(8).writeBigInt64LE(value, this.#end);
  }

  #room(bytes: number): Buffer {
    const wanted = this.#end + bytes;
    if (wanted > MAX_DOCUMENT_BYTES) {
      throw exhausted('a row is larger than 16 MiB: select fewer columns');
    }
    if (wanted > this.#bytes.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(wanted, this.#bytes.byteLength * 2));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}
