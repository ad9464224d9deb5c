import type { JsonValue } from '@bufbuild/protobuf';

/**
 * Returns true if lists and objects are nested more than `levels` deep. A scalar has a depth of 0.
 */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
