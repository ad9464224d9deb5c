import type { Location } from './entities';
import type { LocationId } from './ids';

/** Returns all locations inside a location, at every depth. */
export function listDescendants(id: LocationId, all: readonly Location[]): readonly Location[] {
  const inside = new Set<LocationId>([id]);
  const found: Location[] = [];
  // Each iteration finds the locations one level deeper. The loop terminates even if there is a
  // cycle, because no new locations are found then.
  for (let size = -1; size !== found.length;) {
    size = found.length;
    for (const location of all) {
      if (location.parentId === undefined || inside.has(location.id)) continue;
      if (!inside.has(location.parentId)) continue;
      inside.add(location.id);
      found.push(location);
    }
  }
  return found;
}

/** Returns a location and its ancestors, outermost first. Stops at a cycle. */
export function pathTo(
  id: LocationId | undefined,
  byId: ReadonlyMap<LocationId, Location>,
): readonly Location[] {
  const path = new Set<Location>();
  for (
    let at = id && byId.get(id);
    at && !path.has(at);
    at = at.parentId && byId.get(at.parentId)
  ) {
    path.add(at);
  }
  return [...path].toReversed();
}

/** Returns the names of a location and its ancestors, outermost first. */
export function pathNames(
  id: LocationId | undefined,
  byId: ReadonlyMap<LocationId, Location>,
): readonly string[] {
  return pathTo(id, byId).map(({ name }) => name);
}
