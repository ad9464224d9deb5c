import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

type Branch = Map<string, JsonValue | Branch>;

/** Assembles values at paths into one object. */
export class NestedData {
  private readonly root: Branch = new Map();

  /**
   * @returns false if the path conflicts with another value: a value can't contain or replace
   *   another one.
   */
  put(path: readonly string[], value: JsonValue): boolean {
    let branch = this.root;
    for (const key of path.slice(0, -1)) {
      const below = branch.get(key) ?? new Map<string, JsonValue | Branch>();
      if (!(below instanceof Map)) return false;
      branch.set(key, below);
      branch = below;
    }
    const last = path.at(-1) ?? '';
    if (branch.has(last)) return false;
    branch.set(last, value);
    return true;
  }

  toObject(): JsonObject {
    return toJsonObject(this.root);
  }
}

/**
 * Defines members instead of assigning them, so that names such as `__proto__` don't affect the
 * prototype.
 */
function toJsonObject(branch: Branch): JsonObject {
  return Object.fromEntries(
    [...branch].map(([key, value]) => [key, value instanceof Map ? toJsonObject(value) : value]),
  );
}
