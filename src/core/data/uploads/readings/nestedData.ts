import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

type Branch = Map<string, JsonValue | Branch>;

/** Puts values at paths together to one object. */
export class NestedData {
  private readonly root: Branch = new Map();

  /** @returns whether there is room: nothing is within a value, and nothing takes the place of others. */
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
    return objectOf(this.root);
  }
}

/** By definition of members, so that none of them, however it is called, is one of all objects. */
function objectOf(branch: Branch): JsonObject {
  return Object.fromEntries(
    [...branch].map(([key, value]) => [key, value instanceof Map ? objectOf(value) : value]),
  );
}
