import type { LocationId } from '../model/ids';
import type { Location, Machine } from '../model/entities';
import { pathTo } from '../model/locationTree';
import { getPresence } from '../model/presence';
import { type FleetFilter, matchesWords, toSearchWords } from './fleetFilter';
import type { ListedMachine, OrganizationListing } from './organizationListing';

/** Filtered listing of an organization. */
export interface FilteredListing {
  readonly machines: readonly ListedMachine[];
  /** The listed machines, grouped by the location that directly contains them. */
  readonly machinesIn: ReadonlyMap<LocationId, readonly Machine[]>;
  /** Locations that match the filter or contain a match. */
  readonly locations: ReadonlySet<LocationId>;
  /** Total number of machines in the listing, before filtering. */
  readonly total: number;
}

/**
 * Filters a listing and keeps the locations that contain matches. The filter's words can be spread
 * over the name and the path, so everything in a location matches if the location's name does. With
 * a status filter, only machines match.
 */
export function filterListing(
  { organization, locations, machines }: OrganizationListing,
  filter: FleetFilter,
  now: Date,
): FilteredListing {
  const words = toSearchWords(filter);
  const statuses = new Set(filter.statuses);
  const byId = new Map(locations.map((location) => [location.id, location]));
  const shown = new Set<LocationId>();
  const show = (path: readonly Location[]): void => {
    for (const { id } of path) shown.add(id);
  };
  const getTexts = (path: readonly Location[]): readonly string[] => [
    organization.name,
    ...path.map(({ name }) => name),
  ];
  const matching = machines.filter(({ machine, locations: path }) => {
    if (statuses.size > 0 && !statuses.has(getPresence(machine, now).status)) return false;
    return matchesWords(words, [machine.name, ...getTexts(path)], machine.id);
  });
  for (const { locations: path } of matching) show(path);
  if (statuses.size === 0) {
    for (const location of locations) {
      const path = pathTo(location.id, byId);
      if (matchesWords(words, getTexts(path), location.id)) show(path);
    }
  }
  const machinesIn = new Map<LocationId, Machine[]>();
  for (const { machine } of matching) {
    const list = machinesIn.get(machine.locationId);
    if (list) list.push(machine);
    else machinesIn.set(machine.locationId, [machine]);
  }
  return { machines: matching, machinesIn, locations: shown, total: machines.length };
}
