import { inspect } from 'node:util';
import type { BsonWriter } from '../bsonWriter';
import { type Document, isDocument } from './document';

/**
 * Encodes a result document as BSON.
 * @param integers paths whose numbers are integers, as returned by `integerFields`. All other
 *   numbers are doubles, as in readings.
 */
export function encodeDocument(
  out: BsonWriter,
  document: Document,
  integers: ReadonlySet<string>,
): void {
  out.document(() => writeMembers(out, document, '', integers));
}

function writeMembers(
  out: BsonWriter,
  document: Document,
  prefix: string,
  integers: ReadonlySet<string>,
): void {
  for (const [name, value] of Object.entries(document)) {
    writeValue(out, name, value, prefix + name, integers);
  }
}

function writeValue(
  out: BsonWriter,
  name: string,
  value: unknown,
  path: string,
  integers: ReadonlySet<string>,
): void {
  if (value === null) {
    out.null(name);
  } else if (typeof value === 'string') {
    out.string(name, value);
  } else if (typeof value === 'boolean') {
    out.boolean(name, value);
  } else if (typeof value === 'number') {
    writeNumber(out, name, value, integers.has(path));
  } else if (value instanceof Date) {
    writeDate(out, name, value);
  } else if (Array.isArray(value)) {
    const items: unknown[] = value;
    out.array(name, () =>
      items.forEach((item, index) => {
        // The paths of documents in an array don't contain array indexes.
        const own = isDocument(item) ? integers : NONE;
        writeValue(out, String(index), item ?? null, path, own);
      }),
    );
  } else if (isDocument(value)) {
    out.object(name, () => writeMembers(out, value, `${path}.`, integers));
  } else if (value !== undefined) {
    // The value has a type that only a literal in the pipeline can have, such as a regular
    // expression.
    out.string(name, inspect(value));
  }
}

const NONE: ReadonlySet<string> = new Set();

function writeNumber(out: BsonWriter, name: string, value: number, isInteger: boolean): void {
  if (isInteger && Number.isInteger(value)) {
    out.integer(name, value);
  } else {
    out.double(name, value);
  }
}

/** Writes a date. Supports out-of-range dates, which date arithmetic can produce. */
function writeDate(out: BsonWriter, name: string, value: Date): void {
  if (Number.isNaN(value.getTime())) {
    out.null(name);
  } else {
    out.date(name, BigInt(value.getTime()));
  }
}
