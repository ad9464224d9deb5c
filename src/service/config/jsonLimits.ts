import type { JsonValue } from '@bufbuild/protobuf';
import { invalid } from '../errors';

/**
 * How deep JSON can nest: a level takes three of the hundred levels that protobuf decoders of
 * several languages accept, so that deeper values could be written and never read again.
 */
const MAX_DEPTH = 30;

const MEBIBYTE = 1024 * 1024;
/** Size of a config or of metadata as text. */
export const MAX_JSON_MEBIBYTES = 4;

/**
 * Rejects JSON that clients could not decode: nested too deep, or with numbers outside the range of a
 * double, which become infinite when they are read, and infinity has no JSON.
 * @throws InvalidArgument naming the path of the value below `field`.
 */
export function checkJson(value: JsonValue, field: string): void {
  const problem = findProblem(value, MAX_DEPTH);
  if (problem) throw invalid(`${field}${problem.path}: ${problem.reason}`);
}

/**
 * Refuses JSON text that could be written and never read again: answers hold it up to three times,
 * once as a Struct of several times its size, and must fit into a message of 32 MiB.
 * @throws InvalidArgument naming the field.
 */
export function checkJsonSize(text: string, field: string): void {
  if (Buffer.byteLength(text) > MAX_JSON_MEBIBYTES * MEBIBYTE) {
    throw invalid(`${field}: must not be larger than ${String(MAX_JSON_MEBIBYTES)} MiB as JSON`);
  }
}

interface JsonProblem {
  /** Such as `.components[0].attributes`; empty for the value itself. */
  readonly path: string;
  readonly reason: string;
}

function findProblem(value: JsonValue, levels: number): JsonProblem | undefined {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return undefined;
    return { path: '', reason: 'numbers must be within the range of a double' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) {
    return { path: '', reason: `must not nest deeper than ${String(MAX_DEPTH)} levels` };
  }
  for (const [key, child] of Object.entries(value)) {
    const problem = findProblem(child, levels - 1);
    if (problem) {
      const step = Array.isArray(value) ? `[${key}]` : formatKey(key);
      return { ...problem, path: step + problem.path };
    }
  }
  return undefined;
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
