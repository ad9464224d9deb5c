import { type Document, serialize } from 'bson';

/** A value of a document that is BSON already: a document, or a list of documents. */
export type RawValue = Uint8Array | readonly Uint8Array[];

/** As MongoDB itself. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const LENGTH_BYTES = 4;
const EMPTY_DOCUMENT_BYTES = 5;
const DOCUMENT_TYPE = 0x03;
const ARRAY_TYPE = 0x04;

/** Whether a document has no fields. */
export function isEmptyDocument(document: Uint8Array): boolean {
  return document.byteLength === EMPTY_DOCUMENT_BYTES;
}

/** The name of a document's first field; undefined when it has none. */
export function firstFieldName(document: Uint8Array): string | undefined {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const start = LENGTH_BYTES + 1;
  const end = bytes.indexOf(0, start);
  return isEmptyDocument(document) || end < 0 ? undefined : bytes.toString('utf8', start, end);
}

/**
 * A document of fields that are BSON already, and then of others. What is BSON is taken as it is,
 * without reading it: types that JavaScript does not tell apart stay what they are.
 */
export function documentBytes(
  raw: Readonly<Record<string, RawValue>>,
  rest: Document = {},
): Buffer {
  const pieces = Object.entries(raw).flatMap(([name, value]) => fieldPieces(name, value));
  const others = serialize(rest).subarray(LENGTH_BYTES);
  return withLength([...pieces, others]);
}

function fieldPieces(name: string, value: RawValue): Uint8Array[] {
  return value instanceof Uint8Array
    ? [fieldHead(DOCUMENT_TYPE, name), value]
    : [fieldHead(ARRAY_TYPE, name), arrayBytes(value)];
}

/** Returns the size of a document as an element of an array: its type, its name and its bytes. */
export function getElementBytes(document: Uint8Array, index: number): number {
  return 1 + String(index).length + 1 + document.byteLength;
}

/** Batches have many documents: their bytes are put in place one by one, without pieces between. */
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

function withLength(pieces: readonly Uint8Array[]): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  const bytes = Buffer.concat([length, ...pieces]);
  bytes.writeInt32LE(bytes.byteLength, 0);
  return bytes;
}
