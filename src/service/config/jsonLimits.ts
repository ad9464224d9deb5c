import type { JsonValue } from '@bufbuild/protobuf';
import { atOnce } from '../../base/slices';
import { MAX_JSON_DEPTH, MAX_JSON_MEBIBYTES } from '../../core/validation/configStructure';
import { invalid } from '../errors';

const CHILDREN_PER_STEP = 500;

const MEBIBYTE = 1024 * 1024;

/**
 * Rejects JSON that clients couldn't decode because it is nested too deeply or contains numbers
 * beyond the range of a double. When parsed, these numbers become infinite, which JSON can't
 * represent.
 * @throws InvalidArgument with the path of the value below `field`.
 */
export function checkJson(value: JsonValue, field: string): void {
  atOnce(checkJsonInSteps(value, field));
}

/** Like `checkJson`, in small steps. */
export function* checkJsonInSteps(
  value: JsonValue,
  field: string,
): Generator<undefined, void, void> {
  const problem = yield* findProblem(value, MAX_JSON_DEPTH);
  if (problem) throw invalid(`${field}${problem.path}: ${problem.reason}`);
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
): Generator<undefined, JsonProblem | undefined, void> {
  if (typeof value !== 'object' || value === null) return findNumberProblem(value);
  if (levels === 0) {
    return {
      path: '',
      reason: `must not be nested more than ${String(MAX_JSON_DEPTH)} levels deep`,
    };
  }
  const isList = Array.isArray(value);
  const children = isList ? value : Object.values(value);
  for (const [index, child] of children.entries()) {
    if (index % CHILDREN_PER_STEP === CHILDREN_PER_STEP - 1) yield;
    const isNested = typeof child === 'object' && child !== null;
    const problem = isNested ? yield* findProblem(child, levels - 1) : findNumberProblem(child);
    if (problem) {
      const step = isList ? `[${String(index)}]` : formatKey(Object.keys(value)[index] ?? '');
      return { ...problem, path: step + problem.path };
    }
  }
  // Yields for every value, because many small values require as much work as a single large one.
  yield;
  return undefined;
}

function findNumberProblem(value: JsonValue): JsonProblem | undefined {
  if (typeof value !== 'number' || Number.isFinite(value)) return undefined;
  return { path: '', reason: 'numbers must be within the range of a double' };
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
