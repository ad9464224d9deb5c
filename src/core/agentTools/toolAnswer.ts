import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { SecretRedactor } from './redactSecrets';
import type { ToolSchema } from './toolSchema';
import { formatFenced, showInvisible } from './untrustedText';

/** Maximum number of rows in one answer. */
export const MAX_ROWS = 100;
/** Maximum size of the data in one answer in bytes, as JSON in UTF-8. */
export const MAX_ANSWER_BYTES = 64 * 1024;

/** Sentence about the limits for the descriptions of tools. */
export const LIMIT_SENTENCE = `An answer has at most ${MAX_ROWS} rows and 64 KiB.`;

/** Lengths to which long text is shortened, until the answer fits. */
const SHORTENED_LENGTHS = [32_768, 16_384, 8_192, 4_096, 1_024, 256, 64, 16] as const;

/** Pattern of IDs, versions, and page tokens. Anything else is treated as text. */
const ID = /^[\w:./~+=@-]{1,512}$/;

/**
 * Converts data from the service to what agents can read: only the members of the schema, without
 * secrets, and with visible characters only.
 */
export function toSafeValue(
  schema: ToolSchema,
  value: unknown,
  redactor: SecretRedactor,
): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  switch (schema.kind) {
    case 'id':
    case 'choice':
    case 'time': {
      const text = toText(value);
      const safe = ID.test(text) ? redactor.redactKnown(text) : redactor.redactMessage(text);
      return showInvisible(safe);
    }
    case 'document':
      return showInvisible(redactor.redactDocument(toText(value)));
    case 'text':
      if (schema.isSafe) return toText(value);
      return showInvisible(redactor.redactMessage(toText(value)));
    case 'number':
    case 'integer':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'flag':
      return value === true;
    case 'json':
      return mapStrings(redactor.redactJson(value as JsonValue), showInvisible);
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((item) => toSafeValue(schema.items, item, redactor) ?? [])
        : [];
    case 'object': {
      const members: JsonObject = {};
      for (const [name, member] of Object.entries(schema.members)) {
        const safe = toSafeValue(member, (value as JsonObject)[name], redactor);
        if (safe !== undefined) members[name] = safe;
      }
      return members;
    }
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [map(name), mapStrings(member, map)]),
  );
}

/** Data that fits into one answer. */
export interface BoundedData {
  readonly data: JsonObject;
  /** Number of rows in `data`; undefined if the data has no rows. */
  readonly rows: number | undefined;
  /** Number of rows before the limits were applied. */
  readonly of: number | undefined;
  /** True if some text was shortened. */
  readonly isShortened: boolean;
}

/**
 * Applies the limits: first the number of rows, then the size. If not even one row fits, shortens
 * text.
 *
 * @param rowsKey name of the list whose items are rows; undefined if there is none
 */
export function boundData(data: JsonObject, rowsKey: string | undefined): BoundedData {
  const list = rowsKey === undefined ? undefined : data[rowsKey];
  if (rowsKey === undefined || !Array.isArray(list)) {
    const { value, isShortened } = shorten(data);
    return { data: value, rows: undefined, of: undefined, isShortened };
  }
  let size = measure({ ...data, [rowsKey]: [] });
  let count = 0;
  for (const row of list.slice(0, MAX_ROWS)) {
    size += measure(row) + 1;
    if (size > MAX_ANSWER_BYTES) break;
    count += 1;
  }
  if (count === 0) {
    const { value, isShortened } = shorten({ ...data, [rowsKey]: list.slice(0, 1) });
    return { data: value, rows: Math.min(list.length, 1), of: list.length, isShortened };
  }
  const rows = list.slice(0, count);
  return { data: { ...data, [rowsKey]: rows }, rows: count, of: list.length, isShortened: false };
}

function shorten(data: JsonObject): { readonly value: JsonObject; readonly isShortened: boolean } {
  if (measure(data) <= MAX_ANSWER_BYTES) return { value: data, isShortened: false };
  for (const length of SHORTENED_LENGTHS) {
    const value = cutValue(data, length) as JsonObject;
    if (measure(value) <= MAX_ANSWER_BYTES) return { value, isShortened: true };
  }
  return { value: {}, isShortened: true };
}

/** Shortens strings to a length, and lists and objects to a tenth of that number of members. */
function cutValue(value: JsonValue, length: number): JsonValue {
  if (typeof value === 'string') {
    if (value.length <= length) return value;
    // A surrogate pair isn't split.
    const start = value.slice(0, length).replace(/[\ud800-\udbff]$/, '');
    return `${start}… (${value.length - start.length} more characters)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Math.ceil(length / 10);
  if (Array.isArray(value)) return value.slice(0, members).map((item) => cutValue(item, length));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, members)
      .map(([name, member]) => [name.slice(0, length), cutValue(member, length)]),
  );
}

/** Returns the size of a value in an answer in bytes. */
export function measure(value: JsonValue): number {
  return new TextEncoder().encode(formatFenced(value)).length;
}
