import type { BsonWriter } from '../bsonWriter';
import { isDocument, type Document } from './values/document';

/**
 * Writes a document of a result as BSON.
 * @param integers the paths whose numbers are integers, as `integerFields` tells; all others are
 *   doubles, as the numbers of all readings are.
 */
export function encodeDocument(
  out: BsonWriter,
  document: Document,
  integers: ReadonlySet<string>,
): Uint8Array {
  return out.document(() => writeMembers(out, document, '', integers));
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
  switch (typeof value) {
    case 'undefined':
      return;
    case 'string':
      return out.string(name, value);
    case 'boolean':
      return out.boolean(name, value);
    case 'number':
      return integers.has(path) && Number.isInteger(value)
        ? out.integer(name, value)
        : out.double(name, value);
    default:
  }
  if (value === null) {
    out.null(name);
  } else if (value instanceof Date) {
    // Results of the arithmetic of dates may be beyond all of them.
    writeDate(out, name, value);
  } else if (Array.isArray(value)) {
    out.array(name, () =>
      value.forEach((item, index) =>
        writeValue(out, String(index), item === undefined ? null : item, '', NONE),
      ),
    );
  } else if (isDocument(value)) {
    out.object(name, () => writeMembers(out, value, `${path}.`, integers));
  } else {
    out.string(name, String(value));
  }
}

const NONE: ReadonlySet<string> = new Set();

function writeDate(out: BsonWriter, name: string, value: Date): void {
  if (Number.isNaN(value.getTime())) {
    out.null(name);
  } else {
    out.date(name, BigInt(value.getTime()));
  }
}
