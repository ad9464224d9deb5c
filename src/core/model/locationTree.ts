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

/** The names of the locations above a location and its own, outermost first. */
export function pathNames(
  id: LocationId | undefined,
  byId: ReadonlyMap<LocationId, Location>,
): readonly string[] {
  const names: string[] = [];
  const seen = new Set<LocationId>();
  for (
    let at = id && byId.get(id);
    at && !seen.has(at.id);
    at = at.parentId && byId.get(at.parentId)
  ) {
    seen.add(at.id);
    names.unshift(at.name);
  }
  return names;
}
