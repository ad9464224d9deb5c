import { isJsonObject } from '../../core/model/isJsonObject';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { invalid } from '../errors';
import { checkJsonSize, requireJsonSize } from './jsonLimits';

const INDENT = '  ';
const MAX_CHUNK_LENGTH = 32 * 1024;
const CHILDREN_PER_STEP = 500;

type Steps<T> = Generator<undefined, T, void>;

/** Config as both text and an object, to avoid repeated conversion. */
export interface ConfigDocument {
  readonly text: string;
  readonly value: JsonObject;
}

/**
 * Parses the raw text of a config or fragment.
 * @param field request field, for the error message.
 * @throws InvalidArgument, including the position, if the text isn't JSON, isn't an object, or is
 *   too large.
 */
export function parseConfigText(text: string, field: string): JsonObject {
  checkJsonSize(text, field);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw invalid(`${field}: is not valid JSON: ${(error as SyntaxError).message}`);
  }
  if (!isJsonObject(value)) throw invalid(`${field}: must be a JSON object`);
  return value;
}

/**
 * Returns, in small steps, the text to store for a config that was received as a Struct and
 * therefore has no text. The text is indented like the output of `JSON.stringify`.
 * @param field request field, for the error message.
 * @throws InvalidArgument if the text is too large.
 */
export function* serializeConfig(config: JsonObject, field: string): Steps<string> {
  const text = new ChunkedText(field);
  yield* writeIndented(text, config, '\n');
  return text.finish();
}

/** Text that can grow without being copied as a whole. */
class ChunkedText {
  private readonly chunks: Buffer[] = [];
  private chunk = '';
  private byteCount = 0;

  constructor(private readonly field: string) {}

  add(text: string): void {
    this.chunk += text;
    if (this.chunk.length >= MAX_CHUNK_LENGTH) this.endChunk();
  }

  finish(): string {
    this.endChunk();
    return Buffer.concat(this.chunks).toString();
  }

  private endChunk(): void {
    const bytes = Buffer.from(this.chunk);
    this.chunk = '';
    this.chunks.push(bytes);
    this.byteCount += bytes.length;
    requireJsonSize(this.byteCount, this.field);
  }
}

/** @param newLine line break and indentation of the value's line */
function* writeIndented(
  text: ChunkedText,
  value: JsonObject | JsonValue[],
  newLine: string,
): Steps<void> {
  yield;
  const isList = Array.isArray(value);
  const keys = isList ? undefined : Object.keys(value);
  const children = isList ? value : Object.values(value);
  text.add(isList ? '[' : '{');
  const innerNewLine = newLine + INDENT;
  for (const [index, child] of children.entries()) {
    if (isStepEnd(index)) yield;
    const key = keys === undefined ? '' : `${JSON.stringify(keys[index])}: `;
    text.add(`${index === 0 ? '' : ','}${innerNewLine}${key}`);
    if (isContainer(child)) yield* writeIndented(text, child, innerNewLine);
    else text.add(JSON.stringify(child));
  }
  if (children.length > 0) text.add(newLine);
  text.add(isList ? ']' : '}');
}

/**
 * Returns, in small steps, the config with its keys in the same order as in the previous version,
 * followed by new keys. Clients that edit a config as a Struct change the key order. Without this
 * function, histories and diffs would show each of these edits as a change to the whole document.
 */
export function* restoreKeyOrder(
  previous: JsonValue | undefined,
  next: JsonValue,
): Steps<JsonValue> {
  if (!isContainer(next)) {
    // JSON text has no negative zero.
    return next === 0 ? 0 : next;
  }
  yield;
  if (Array.isArray(next)) {
    const counterpart = yield* counterpartsIn(Array.isArray(previous) ? previous : []);
    const items: JsonValue[] = [];
    for (const [index, item] of next.entries()) {
      if (isStepEnd(index)) yield;
      items.push(yield* restoreKeyOrder(counterpart(item, index), item));
    }
    return items;
  }
  const old = isJsonObject(previous) ? previous : {};
  const entries: [string, JsonValue][] = [];
  for (const [index, key] of Object.keys(old).entries()) {
    if (isStepEnd(index)) yield;
    if (Object.hasOwn(next, key)) {
      entries.push([key, yield* restoreKeyOrder(old[key], next[key] ?? null)]);
    }
  }
  for (const [index, key] of Object.keys(next).entries()) {
    if (isStepEnd(index)) yield;
    if (!Object.hasOwn(old, key)) {
      entries.push([key, yield* restoreKeyOrder(undefined, next[key] ?? null)]);
    }
  }
  return Object.fromEntries(entries);
}

/**
 * Compares two configs in small steps. Returns true if they are equal, including their key order.
 */
export function* isSameInOrder(left: JsonValue, right: JsonValue): Steps<boolean> {
  if (!isContainer(left) || !isContainer(right)) return left === right;
  yield;
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && (yield* areSameInOrder(left, right));
  }
  return (
    (yield* areSameInOrder(Object.keys(left), Object.keys(right))) &&
    (yield* areSameInOrder(Object.values(left), Object.values(right)))
  );
}

function* areSameInOrder(left: readonly JsonValue[], right: readonly JsonValue[]): Steps<boolean> {
  if (left.length !== right.length) return false;
  for (const [index, value] of left.entries()) {
    if (isStepEnd(index)) yield;
    if (!(yield* isSameInOrder(value, right[index] ?? null))) return false;
  }
  return true;
}

// Returns a function that finds the counterpart of a list item in the previous version. Components,
// services, and modules are identified by name, regardless of their position in the list.
function* counterpartsIn(
  old: JsonValue[],
): Steps<(item: JsonValue, index: number) => JsonValue | undefined> {
  const byName = new Map<string, JsonValue>();
  for (const [index, item] of old.entries()) {
    if (isStepEnd(index)) yield;
    const name = getItemName(item);
    if (name !== undefined && !byName.has(name)) byName.set(name, item);
  }
  return (item, index) => {
    const name = getItemName(item);
    return name === undefined ? old[index] : byName.get(name);
  };
}

function getItemName(item: JsonValue): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

function isStepEnd(index: number): boolean {
  return index % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1;
}
