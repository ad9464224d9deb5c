import type { Location } from './entities';
import type { LocationId } from './ids';
import { descendantsOf } from './locationTree';

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
  return { kind: 'move', locations, inside: carried.length, machines };
}
