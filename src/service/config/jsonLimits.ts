import type { JsonValue } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import { atOnce } from '../../base/slices';
import { MAX_JSON_DEPTH, MAX_JSON_MEBIBYTES } from '../../core/validation/configStructure';
import { invalid } from '../errors';

const CHILDREN_PER_STEP = 500;

const MEBIBYTE = 1024 * 1024;

/**
 * Rejects JSON that clients or queries couldn't decode, because it is nested too deeply or contains:
 * - Numbers beyond the range of a double. When parsed, they become infinite, which JSON can't
 *   represent.
 * - Halves of surrogate pairs, which UTF-8 can't represent. The library rejects them in strings, but
 *   not in a Struct from a JSON message. Queries of all readings would fail because of one of them.
 * @throws InvalidArgument with the path of the value below `field`.
 */
export function checkJson(value: JsonValue, field: string): void {
  if (isValidJson(value, MAX_JSON_DEPTH)) return;
  const problem = atOnce(findProblem(value, MAX_JSON_DEPTH, false));
  if (problem) throw toError(problem, field);
}

/** Returns true if `findProblem` would find none. Takes a fraction of the time. */
function isValidJson(value: JsonValue, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isValidJson(item, levels - 1));
  for (const key in value) {
    if (!key.isWellFormed() || !isValidJson(value[key] ?? null, levels - 1)) return false;
  }
  return true;
}

/**
 * Like `checkJson`, in small steps, but accepts halves of surrogate pairs: configs are also sent as
 * text, in which halves are escaped, and are returned byte for byte.
 */
export function* checkJsonInSteps(
  value: JsonValue,
  field: string,
): Generator<undefined, void, void> {
  const problem = yield* findProblem(value, MAX_JSON_DEPTH, true);
  if (problem) throw toError(problem, field);
}

function toError({ path, reason }: JsonProblem, field: string): ConnectError {
  return invalid(`${field}${path}: ${reason}`);
}

/**
 * Rejects JSON text that clients could write but never read. Responses contain the text up to three
 * times, once as a Struct that can be several times as large, and must fit into a message of 32
 * MiB.
 * @throws InvalidArgument with the name of the field.
 */
export function checkJsonSize(text: string, field: string): void {
  requireJsonSize(Buffer.byteLength(text), field);
}

/** Like `checkJsonSize`, but for text of a known size in bytes. */
export function requireJsonSize(bytes: number, field: string): void {
  if (bytes > MAX_JSON_MEBIBYTES * MEBIBYTE) {
    throw invalid(`${field}: must not be larger than ${String(MAX_JSON_MEBIBYTES)} MiB as JSON`);
  }
}

interface JsonProblem {
  /** Path within the value, such as `.components[0].attributes`; empty for the value itself. */
  readonly path: string;
  readonly reason: string;
}

function* findProblem(
  value: JsonValue,
  levels: number,
  acceptsHalves: boolean,
): Generator<undefined, JsonProblem | undefined, void> {
  if (typeof value !== 'object' || value === null) {
    return findScalarProblem(value, acceptsHalves);
  }
  if (levels === 0) {
    return {
      path: '',
      reason: `must not be nested more than ${String(MAX_JSON_DEPTH)} levels deep`,
    };
  }
  const isList = Array.isArray(value);
  const malformedKey =
    isList || acceptsHalves ? undefined : Object.keys(value).find((key) => !key.isWellFormed());
  if (malformedKey !== undefined) return { path: formatKey(malformedKey), reason: MALFORMED_TEXT };
  const children = isList ? value : Object.values(value);
  for (const [index, child] of children.entries()) {
    if (index % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1) yield;
    const isNested = typeof child === 'object' && child !== null;
    const problem = isNested
      ? yield* findProblem(child, levels - 1, acceptsHalves)
      : findScalarProblem(child, acceptsHalves);
    if (problem) {
      const step = isList ? `[${String(index)}]` : formatKey(Object.keys(value)[index] ?? '');
      return { ...problem, path: step + problem.path };
    }
  }
  // Yields for every value, because many small values require as much work as a single large one.
  yield;
  return undefined;
}

const MALFORMED_TEXT =
  'texts must not contain half of a surrogate pair: remove it, or add the other half';

function findScalarProblem(value: JsonValue, acceptsHalves: boolean): JsonProblem | undefined {
  if (typeof value === 'string' && !acceptsHalves && !value.isWellFormed()) {
    return { path: '', reason: MALFORMED_TEXT };
  }
  if (typeof value !== 'number' || Number.isFinite(value)) return undefined;
  return { path: '', reason: 'numbers must be within the range of a double' };
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
