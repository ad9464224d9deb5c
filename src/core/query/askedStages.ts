import { Double, EJSON, Int32, Long, serialize } from 'bson';
import { getNodeValue, type Node } from 'jsonc-parser';
import { type ParsedPipeline, getNodeSpan } from './parsedPipeline';
import { QueryError } from './queryError';

/**
 * Objects with one of these members represent values that JSON can't express (MongoDB's Extended
 * JSON).
 */
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
 * Converts each stage to a BSON document: members in the written order, integers with all digits,
 * and dates, IDs, and the like as in Extended JSON.
 * @throws QueryFault for an invalid typed value.
 */
export function stageDocuments({ text, stages }: ParsedPipeline): Uint8Array[] {
  return stages.map((stage) => serialize(toDocument(stage, text)));
}

/** A map preserves the order of members, including numeric names. */
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

/** A number with a decimal point or an exponent is a double, regardless of its value. */
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

/** A time without a zone is UTC, as in SQL; JavaScript would use the computer's zone. */
function parseDate(text: string): Date | undefined {
  const date = new Date(DAY_OR_MOMENT.test(text) && text.length > 10 ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
