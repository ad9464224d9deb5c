import type { Location } from './entities';
import type { LocationId, OrganizationId } from './ids';
import { listDescendants, pathTo } from './locationTree';

/** Reason that locations can't be moved. */
export type MoveProblem =
  | { readonly kind: 'gone' }
  | { readonly kind: 'shared'; readonly location: Location }
  | { readonly kind: 'intoItself'; readonly location: Location }
  | { readonly kind: 'thereAlready' };

export interface LocationMove {
  readonly kind: 'move';
  /**
   * Locations that get a different parent. Their contents move with them, without a separate step.
   */
  readonly locations: readonly Location[];
  /** Number of locations nested in the moved locations. */
  readonly inside: number;
  /** Total number of machines in all moved locations, according to the service. */
  readonly machines: number;
  /**
   * Number of organizations that have access to the new parent but not yet to all of the locations
   * being moved.
   */
  readonly readers: number;
}

/**
 * Plans the move of locations to a parent, or to the top level if the parent is undefined. A
 * location remains in its own parent if that parent also moves. Skips locations that already have
 * the new parent.
 */
export function planMove(
  ids: readonly LocationId[],
  parent: LocationId | undefined,
  all: readonly Location[],
): LocationMove | MoveProblem {
  const byId = new Map(all.map((location) => [location.id, location]));
  const chosen = [...new Set(ids)].map((id) => byId.get(id));
  if (chosen.includes(undefined) || (parent !== undefined && !byId.has(parent))) {
    return { kind: 'gone' };
  }
  const inside = new Map(ids.map((id) => [id, listDescendants(id, all)]));
  const goesAlong = new Set([...inside.values()].flat());
  const locations: Location[] = [];
  for (const location of chosen.filter((one) => one !== undefined)) {
    if (location.owner && location.owner.id !== location.organizationId) {
      return { kind: 'shared', location };
    }
    const within = inside.get(location.id) ?? [];
    if (location.id === parent || within.some(({ id }) => id === parent)) {
      return { kind: 'intoItself', location };
    }
    if (!goesAlong.has(location) && location.parentId !== parent) locations.push(location);
  }
  if (locations.length === 0) return { kind: 'thereAlready' };
  const carried = locations.flatMap(({ id }) => inside.get(id) ?? []);
  const machines = [...locations, ...carried].reduce(
    (sum, { machineCount }) => sum + machineCount,
    0,
  );
  const isNew = (reader: OrganizationId): boolean =>
    locations.some(({ id }) => !readersAt(id, byId).has(reader));
  const readers = [...readersAt(parent, byId)].filter(isNew).length;
  return { kind: 'move', locations, inside: carried.length, machines, readers };
}

/**
 * Returns the organizations that can read a location. Sharing a location also shares everything
 * inside it.
 */
function readersAt(
  locationId: LocationId | undefined,
  byId: ReadonlyMap<LocationId, Location>,
): ReadonlySet<OrganizationId> {
  return new Set(pathTo(locationId, byId).flatMap(({ sharedWith }) => sharedWith));
}
