import type { DescField, JsonObject, JsonValue, Message } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { HandlerContext } from '@connectrpc/connect';
import type { LongWork } from '../../base/longWork';

/** Field numbers for `google.protobuf.Struct`, `Value`, and `ListValue`, and for a map entry. */
const STRUCT_FIELDS = 1;
const ENTRY = { key: 1, value: 2 } as const;
const VALUE = { null: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;
const LIST_VALUES = 1;
const CHILDREN_PER_STEP = 100;

/** Maximum length of text that contains so few values that it can be encoded in one step. */
export const MAX_SMALL_LENGTH = 16 * 1024;

type Steps = Generator<undefined, void, void>;

/**
 * Encodes a Struct field in a response in advance, in slices. Other calls can be handled between
 * slices. The library would encode the field in one step. Adds the bytes as an unknown field, which
 * the library appends unchanged as the last field in the message. JSON responses retain the
 * original field.
 * @throws the signal's reason when the call ends
 */
export async function encodeStructAhead(
  message: Message,
  field: DescField,
  { requestHeader, requestMethod, signal }: HandlerContext,
  longWork: LongWork,
): Promise<void> {
  const fields = message as unknown as Record<string, JsonObject | undefined>;
  const struct = fields[field.localName];
  // The encoding of the response to a GET request is specified in its query and might be JSON.
  if (struct === undefined || requestMethod === 'GET' || isJson(requestHeader)) return;
  const data = await longWork.run(encodeStruct(struct), signal);
  fields[field.localName] = undefined;
  // Waits for a free slot, because the library assembles the response in one step.
  await longWork.waitForTurn(signal);
  message.$unknown = [{ no: field.number, wireType: WireType.LengthDelimited, data }];
}

/** Returns true if a Struct with this JSON text is large enough to be encoded in advance. */
export function isLargeText(json: string): boolean {
  return json.length > MAX_SMALL_LENGTH;
}

/** Returns true if a Struct is as large as text for which `isLargeText` returns true. */
export function isLargeStruct(value: JsonObject): boolean {
  let length = 0;
  const pending: JsonValue[] = [value];
  while (pending.length > 0 && length <= MAX_SMALL_LENGTH) {
    const next = pending.pop() ?? null;
    if (!isContainer(next)) {
      length += typeof next === 'string' ? next.length + 1 : 1;
      continue;
    }
    for (const [key, child] of Object.entries(next)) {
      length += key.length + 1;
      if (length > MAX_SMALL_LENGTH) break;
      pending.push(child);
    }
  }
  return length > MAX_SMALL_LENGTH;
}

function isJson(header: Headers): boolean {
  return /[/+]json\s*(;|$)/i.test(header.get('content-type') ?? '');
}

/** Encodes a JSON object as a length-prefixed `google.protobuf.Struct`, in small steps. */
export function* encodeStruct(value: JsonObject): Generator<undefined, Uint8Array, void> {
  const writer = new BinaryWriter();
  writer.fork();
  yield* writeStruct(writer, value);
  writer.join();
  yield;
  return writer.finish();
}

function* writeStruct(writer: BinaryWriter, value: JsonObject): Steps {
  let count = 0;
  for (const [key, child] of Object.entries(value)) {
    if ((count += 1) % CHILDREN_PER_STEP === 0) yield;
    writer.tag(STRUCT_FIELDS, WireType.LengthDelimited).fork();
    writer.tag(ENTRY.key, WireType.LengthDelimited).string(key);
    writer.tag(ENTRY.value, WireType.LengthDelimited).fork();
    if (isContainer(child)) yield* writeContainer(writer, child);
    else writeScalar(writer, child);
    writer.join().join();
  }
  yield;
}

function* writeContainer(writer: BinaryWriter, value: JsonObject | JsonValue[]): Steps {
  const isList = Array.isArray(value);
  writer.tag(isList ? VALUE.list : VALUE.struct, WireType.LengthDelimited).fork();
  if (isList) yield* writeList(writer, value);
  else yield* writeStruct(writer, value);
  writer.join();
}

function* writeList(writer: BinaryWriter, values: readonly JsonValue[]): Steps {
  for (const [index, child] of values.entries()) {
    if (index % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1) yield;
    writer.tag(LIST_VALUES, WireType.LengthDelimited).fork();
    if (isContainer(child)) yield* writeContainer(writer, child);
    else writeScalar(writer, child);
    writer.join();
  }
  yield;
}

function writeScalar(writer: BinaryWriter, value: string | number | boolean | null): void {
  switch (typeof value) {
    case 'string':
      writer.tag(VALUE.string, WireType.LengthDelimited).string(value);
      break;
    case 'number':
      writer.tag(VALUE.number, WireType.Bit64).double(value);
      break;
    case 'boolean':
      writer.tag(VALUE.bool, WireType.Varint).bool(value);
      break;
    default:
      writer.tag(VALUE.null, WireType.Varint).int32(0);
  }
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

/** Returns a string; empty if the value isn't a string. */
export function getString(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a number; 0 if the value isn't a number. */
export function getNumber(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/**
 * Converts a duration such as `1m30s` to Protobuf's JSON representation; undefined if the duration
 * is invalid.
 */
export function durationJson(value: JsonValue | undefined): string | undefined {
  const micros = parseGoDuration(getString(value));
  return micros === undefined ? undefined : `${(micros / 1_000_000).toFixed(6)}s`;
}

/** Duration in Go's format, such as `1h30m`, `10m`, or `0.5s`. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
const MICROS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 0.001,
  us: 1,
  µs: 1,
  ms: 1000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
};

/** Maximum duration, about seventy years. Longer durations are clamped to this value. */
const MAX_MICROS = Math.floor(Number.MAX_SAFE_INTEGER / 4);

/**
 * Parses a duration such as `1h30m` to integer microseconds; undefined if the text is not a valid
 * duration.
 */
export function parseGoDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const micros = [...text.matchAll(PART)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (MICROS_PER_UNIT[unit] ?? 0),
    0,
  );
  return Math.min(Math.round(micros), MAX_MICROS);
}
