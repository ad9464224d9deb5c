import type { Location } from './entities';
import type { LocationId } from './ids';

/** The locations inside a location, at every depth. */
export function descendantsOf(id: LocationId, all: readonly Location[]): readonly Location[] {
  const inside = new Set<LocationId>([id]);
  const found: Location[] = [];
  // Each round finds the locations one level deeper; a circle ends when nothing new comes.
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

/** The locations above a location and itself, outermost first. A circle ends where it began. */
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

/** The names of the locations above a location and its own, outermost first. */
export function pathNames(
  id: LocationId | undefined,
  byId: ReadonlyMap<LocationId, Location>,
): readonly string[] {
  return pathTo(id, byId).map(({ name }) => name);
}
