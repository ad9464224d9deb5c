import type { JsonValue } from '@bufbuild/protobuf';
import { invalid } from '../errors';

/**
 * How deep JSON may nest: a level takes three of the hundred levels that protobuf decoders of
 * several languages accept, so that deeper values could be written and never read again.
 */
const MAX_DEPTH = 30;

const MEBIBYTE = 1024 * 1024;
const MAX_MEBIBYTES = 4;

/**
 * Refuses JSON that clients could not decode: too deep, or with numbers that are none. A number
 * beyond the range of a double becomes infinite when it is read, and infinity has no JSON.
 * @throws InvalidArgument naming the field.
 */
export function checkJson(value: JsonValue, field: string): void {
  const fault = faultOf(value, MAX_DEPTH);
  if (fault !== undefined) {
    throw invalid(`${field}: ${fault}`);
  }
}

/**
 * Refuses JSON text that could be written and never read again: answers hold it up to three times,
 * once as a Struct of several times its size, and must fit into a message of 32 MiB.
 * @throws InvalidArgument naming the field.
 */
export function checkJsonSize(text: string, field: string): void {
  if (Buffer.byteLength(text) > MAX_MEBIBYTES * MEBIBYTE) {
    throw invalid(`${field}: must not be larger than ${String(MAX_MEBIBYTES)} MiB as JSON`);
  }
}

function faultOf(value: JsonValue, levels: number): string | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : 'numbers must be within the range of a double';
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (levels === 0) {
    return `must not nest deeper than ${String(MAX_DEPTH)} levels`;
  }
  for (const child of Object.values(value)) {
    const fault = faultOf(child, levels - 1);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}
