import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { Double, EJSON, Int32, Long, serialize } from 'bson';
import { englishLocalizer, type Localizer } from '../../base/localizer';
import { formatJsonSyntaxError } from '../documents/formatJsonProblem';
import type { TextSpan } from '../model/query';
import { QueryError } from './queryError';

const EXAMPLE = '[{ "$limit": 10 }]';

/** JSON text of a pipeline that is ready to run; always valid, unlike the text in an editor. */
export interface ParsedPipeline {
  readonly text: string;
  /** Stages in the pipeline, which are objects in a list. */
  readonly stages: readonly Node[];
}

/**
 * Parses a pipeline: a JSON list of stages, which can contain comments and trailing commas.
 * @throws QueryError with the position of the first error.
 */
export function parsePipeline(text: string, l10n = englishLocalizer): ParsedPipeline {
  const tree = parse(text, l10n);
  if (tree === undefined) {
    const message = l10n.t('The pipeline is empty. Enter a list of stages, such as {0}.', EXAMPLE);
    throw new QueryError(message);
  }
  if (tree.type !== 'array') {
    const message = l10n.t('A pipeline is a list of stages, such as {0}.', EXAMPLE);
    throw new QueryError(message, getNodeSpan(tree));
  }
  const stages = tree.children ?? [];
  stages.forEach((stage, index) => {
    if (stage.type !== 'object') {
      const message = l10n.t(
        'Stage {0} must be an object, such as {1}.',
        String(index + 1),
        '{ "$limit": 10 }',
      );
      throw new QueryError(message, getNodeSpan(stage));
    }
    requireDistinctNames(stage, l10n);
  });
  return { text, stages };
}

/**
 * Returns the range for a path in a stage: the name of a member, an item in a list, or the whole
 * stage if the path is empty. If the path doesn't exist, uses its longest existing part.
 * @param stage index of the stage, starting at 0.
 */
export function findPipelineSpan(
  { stages }: ParsedPipeline,
  stage: number,
  path: readonly string[],
): TextSpan | undefined {
  const root = stages[stage];
  if (!root) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, segmentsIn(root, path.slice(0, length)));
    const name = node?.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
    if (node) return getNodeSpan(name ?? node);
  }
  return getNodeSpan(root);
}

function getNodeSpan({ offset, length }: Node): TextSpan {
  return { start: offset, end: offset + length };
}

function parse(text: string, l10n: Localizer): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseWithin(text, errors, l10n);
  const [first] = errors;
  const code = first && printParseErrorCode(first.error);
  const isEmpty = tree === undefined && (code === undefined || code === 'ValueExpected');
  if (first && !isEmpty) {
    const { offset, length } = first;
    // For an error at the end of the text, marks the last character.
    const start = Math.min(offset, Math.max(0, text.trimEnd().length - 1));
    const range = { start, end: Math.max(start + 1, offset + length) };
    throw new QueryError(formatJsonSyntaxError(l10n, code ?? ''), range);
  }
  return tree;
}

function parseWithin(text: string, errors: ParseError[], l10n: Localizer): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (cause) {
    if (cause instanceof RangeError) {
      const message = l10n.t('The pipeline is nested too deeply. Use fewer levels.');
      throw new QueryError(message, undefined, { cause });
    }
    throw cause;
  }
}

/** Rejects repeated names, because one of the members would be silently ignored. */
function requireDistinctNames(root: Node, l10n: Localizer): void {
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const children = node.children ?? [];
    if (node.type === 'object') {
      const names = new Set<unknown>();
      for (const { children: [name] = [] } of children) {
        if (name && names.has(name.value)) {
          const message = l10n.t('"{0}" appears twice.', String(name.value));
          throw new QueryError(message, getNodeSpan(name));
        }
        names.add(name?.value);
      }
    }
    open.push(...children);
  }
}

/** Converts the list indexes in a path to numbers. */
function segmentsIn(root: Node, path: readonly string[]): (string | number)[] {
  const segments: (string | number)[] = [];
  for (const step of path) {
    const isList = findNodeAtLocation(root, segments)?.type === 'array';
    segments.push(isList ? Number(step) : step);
  }
  return segments;
}

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
const DATE_OR_TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+)?$/i;

/**
 * Converts each stage to a BSON document. Preserves the written order of members and all digits of
 * integers; supports the notation of Extended JSON for dates, IDs, and similar values.
 * @throws QueryError for an invalid typed value.
 */
export function stageDocuments(
  { text, stages }: ParsedPipeline,
  l10n = englishLocalizer,
): Uint8Array[] {
  return stages.map((stage) => serialize(toDocument(stage, text, l10n)));
}

/** Converts an object to a map, which preserves the order of members even for numeric names. */
function toDocument({ children = [] }: Node, text: string, l10n: Localizer): Map<string, unknown> {
  return new Map(
    children.flatMap(({ children: [name, value] = [] }) =>
      name && value ? [[String(name.value), toBsonValue(value, text, l10n)]] : [],
    ),
  );
}

function toBsonValue(node: Node, text: string, l10n: Localizer): unknown {
  switch (node.type) {
    case 'object':
      return typedValue(node, l10n) ?? toDocument(node, text, l10n);
    case 'array':
      return (node.children ?? []).map((child) => toBsonValue(child, text, l10n));
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

function typedValue(node: Node, l10n: Localizer): unknown {
  const first: unknown = node.children?.[0]?.children?.[0]?.value;
  if (typeof first !== 'string' || !Object.hasOwn(TYPED, first)) return undefined;
  const typed = getNodeValue(node) as Readonly<Record<string, unknown>>;
  const value = TYPED[first]?.test(String(typed[first])) === false ? undefined : read(first, typed);
  if (value === undefined) {
    const message = l10n.t('This is not a valid value for {0}.', first);
    throw new QueryError(message, getNodeSpan(node));
  }
  return value;
}

function read(name: string, typed: Readonly<Record<string, unknown>>): unknown {
  if (name === '$date' && typeof typed.$date === 'string') return parseDate(typed.$date);
  try {
    const value: unknown = EJSON.deserialize(typed, { relaxed: false });
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
  const date = new Date(DATE_OR_TIME.test(text) && text.length > 10 ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
