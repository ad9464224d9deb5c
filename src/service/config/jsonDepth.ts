import type { JsonValue } from '@bufbuild/protobuf';
import { invalid } from '../errors';

/**
 * How deep JSON may nest: a level takes three of the hundred levels that protobuf decoders of
 * several languages accept, so that deeper values could be written and never read again.
 */
const MAX_DEPTH = 30;

/**
 * Refuses JSON that clients could not decode.
 * @throws InvalidArgument naming the field.
 */
export function checkDepth(value: JsonValue, field: string): void {
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw invalid(`${field}: must not nest deeper than ${String(MAX_DEPTH)} levels`);
  }
}

function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
