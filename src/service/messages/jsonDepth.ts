import type { JsonValue } from '@bufbuild/protobuf';

/** Whether lists and objects lie within one another at more levels than so many; a plain value has none. */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
