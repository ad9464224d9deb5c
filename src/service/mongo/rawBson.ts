import { type Document, serialize } from 'bson';

/** A value that is already BSON: a document or a list of documents. */
export type RawValue = Uint8Array | readonly Uint8Array[];

/** Maximum document size, which is MongoDB's limit. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const LENGTH_BYTES = 4;
const EMPTY_DOCUMENT_BYTES = 5;
const DOCUMENT_TYPE = 0x03;
const ARRAY_TYPE = 0x04;

/** Returns true if a document has no fields. */
export function isEmptyDocument(document: Uint8Array): boolean {
  return document.byteLength === EMPTY_DOCUMENT_BYTES;
}

/** Returns the name of a document's first field; undefined if the document has no fields. */
export function firstFieldName(document: Uint8Array): string | undefined {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const start = LENGTH_BYTES + 1;
  const end = bytes.indexOf(0, start);
  return isEmptyDocument(document) || end < 0 ? undefined : bytes.toString('utf8', start, end);
}

/**
 * Encodes a document that consists of fields whose values are already BSON, followed by other
 * fields. BSON values are copied without decoding, which preserves types that JavaScript can't
 * distinguish.
 */
export function documentBytes(
  raw: Readonly<Record<string, RawValue>>,
  rest: Document = {},
): Buffer {
  const parts = Object.entries(raw).flatMap(([name, value]) => encodeField(name, value));
  const others = serialize(rest).subarray(LENGTH_BYTES);
  return withLength([...parts, others]);
}

function encodeField(name: string, value: RawValue): Uint8Array[] {
  return value instanceof Uint8Array
    ? [fieldHead(DOCUMENT_TYPE, name), value]
    : [fieldHead(ARRAY_TYPE, name), arrayBytes(value)];
}

/** Returns the size of a document as an array element, including its type and name. */
export function getElementBytes(document: Uint8Array, index: number): number {
  return 1 + String(index).length + 1 + document.byteLength;
}

/**
 * Encodes an array. Batches contain many documents, so their bytes are copied directly to their
 * positions, without intermediate buffers.
 */
function arrayBytes(documents: readonly Uint8Array[]): Buffer {
  const names = documents.map((_, index) => String(index));
  const sizes = documents.map(getElementBytes);
  const length = sizes.reduce((sum, size) => sum + size, EMPTY_DOCUMENT_BYTES);
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeInt32LE(length, 0);
  let at = LENGTH_BYTES;
  for (const [index, document] of documents.entries()) {
    at = bytes.writeUInt8(DOCUMENT_TYPE, at);
    at += bytes.write(names[index] ?? '', at, 'latin1');
    at = bytes.writeUInt8(0, at);
    bytes.set(document, at);
    at += document.byteLength;
  }
  bytes.writeUInt8(0, at);
  return bytes;
}

function fieldHead(type: number, name: string): Buffer {
  return Buffer.from(`${String.fromCharCode(type)}${name}\0`);
}

function withLength(parts: readonly Uint8Array[]): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  const bytes = Buffer.concat([length, ...parts]);
  bytes.writeInt32LE(bytes.byteLength, 0);
  return bytes;
}
