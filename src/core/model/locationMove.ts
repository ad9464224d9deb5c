import type { Location } from './entities';
import type { LocationId, OrganizationId } from './ids';
import { descendantsOf, pathTo } from './locationTree';

/** Why locations cannot go where they were to go. */
export type MoveProblem =
  | { readonly kind: 'gone' }
  | { readonly kind: 'shared'; readonly location: Location }
  | { readonly kind: 'intoItself'; readonly location: Location }
  | { readonly kind: 'thereAlready' };

export interface LocationMove {
  readonly kind: 'move';
  /** What changes its parent. What is inside goes along without a step of its own. */
  readonly locations: readonly Location[];
  /** How many locations go along inside. */
  readonly inside: number;
  /** Machines in all of them, as the service counts them. */
  readonly machines: number;
  /** Organizations that the new place is shared with and that do not see all of it yet. */
  readonly readers: number;
}

/**
 * What moving locations to a parent comes to, the top level when it is undefined. A location whose
 * own parent moves too stays in it, and one that is there already is left out.
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
  const inside = new Map(ids.map((id) => [id, descendantsOf(id, all)]));
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

/** A location is shared with all that is inside it. */
function readersAt(
  place: LocationId | undefined,
  byId: ReadonlyMap<LocationId, Location>,
): ReadonlySet<OrganizationId> {
  return new Set(pathTo(place, byId).flatMap(({ sharedWith }) => sharedWith));
}
