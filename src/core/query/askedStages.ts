import { Double, EJSON, Int32, Long, serialize } from 'bson';
import { getNodeValue, type Node } from 'jsonc-parser';
import { type ParsedPipeline, getNodeSpan } from './parsedPipeline';
import { QueryError } from './queryError';

/** Members that mark an object as a value that JSON can't express (MongoDB's Extended JSON). */
const TYPED: Readonly<Record<string, RegExp | undefined>> = {
  $oid: /^[0-9a-f]{24}$/i,
  $uuid: undefined,
  $date: undefined,
  $numberInt: /^-?\d{1,10}$/,
  $numberLong: /^-?\d{1,19}$/,
  $numberDouble: /^-?(?:Infinity|NaN|\d+(?:\.\d*)?(?:e[+-]?\d+)?)$/i,
  $numberDecimal: undefined,
  $binary: undefined,
  $regularExpression: undefined,
  $timestamp: undefined,
  $minKey: undefined,
  $maxKey: undefined,
  $symbol: undefined,
};

const WHOLE = /^-?\d+$/;
const MAX_INT32 = 2n ** 31n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;
const DAY_OR_MOMENT = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+)?$/i;

/**
 * Converts each stage to a BSON document. Preserves the written order of members and all digits of
 * integers; supports the notation of Extended JSON for dates, IDs, and similar values.
 * @throws QueryError for an invalid typed value.
 */
export function stageDocuments({ text, stages }: ParsedPipeline): Uint8Array[] {
  return stages.map((stage) => serialize(toDocument(stage, text)));
}

/** Converts an object to a map, which preserves the order of members even for numeric names. */
function toDocument({ children = [] }: Node, text: string): Map<string, unknown> {
  return new Map(
    children.flatMap(({ children: [name, value] = [] }) =>
      name && value ? [[String(name.value), toBsonValue(value, text)]] : [],
    ),
  );
}

function toBsonValue(node: Node, text: string): unknown {
  switch (node.type) {
    case 'object':
      return typedValue(node) ?? toDocument(node, text);
    case 'array':
      return (node.children ?? []).map((child) => toBsonValue(child, text));
    case 'number':
      return parseNumber(text.slice(node.offset, node.offset + node.length));
    default:
      return node.value as unknown;
  }
}

/**
 * Parses a number. A number with a decimal point or an exponent is a double, regardless of its
 * value.
 */
function parseNumber(digits: string): Int32 | Long | Double {
  if (!WHOLE.test(digits)) return new Double(Number(digits));
  const value = BigInt(digits);
  if (value <= MAX_INT32 && value >= -MAX_INT32 - 1n) return new Int32(Number(value));
  return value <= MAX_INT64 && value >= -MAX_INT64 - 1n
    ? Long.fromBigInt(value)
    : new Double(Number(digits));
}

function typedValue(node: Node): unknown {
  const first: unknown = node.children?.[0]?.children?.[0]?.value;
  if (typeof first !== 'string' || !Object.hasOwn(TYPED, first)) return undefined;
  const given = getNodeValue(node) as Readonly<Record<string, unknown>>;
  const value = TYPED[first]?.test(String(given[first])) === false ? undefined : read(first, given);
  if (value === undefined) {
    throw new QueryError(`This is not a valid value for ${first}.`, getNodeSpan(node));
  }
  return value;
}

function read(name: string, given: Readonly<Record<string, unknown>>): unknown {
  if (name === '$date' && typeof given.$date === 'string') return parseDate(given.$date);
  try {
    const value: unknown = EJSON.deserialize(given, { relaxed: false });
    const isStill = typeof value === 'object' && value !== null && name in value;
    const isNoDate = value instanceof Date && Number.isNaN(value.getTime());
    return isStill || isNoDate ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Parses a time. A time without a time zone is in UTC, as in SQL. JavaScript would use the time
 * zone of this computer.
 */
function parseDate(text: string): Date | undefined {
  const date = new Date(DAY_OR_MOMENT.test(text) && text.length > 10 ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
