import { forEachBounded } from '../../base/bounded';
import type { Location, Machine, OnlineStatus, Organization } from '../model/entities';
import type { LocationId } from '../model/ids';
import { pathTo } from '../model/locationTree';
import { inNameOrder } from '../model/resourceName';
import type { ReadOptions } from './resourceCache';
import type { FleetStores } from './fleetStores';
import { getPresence } from '../model/presence';

const CONCURRENT_LISTS = 8;

/** Machine with its locations, outermost first. */
export interface ListedMachine {
  readonly machine: Machine;
  readonly locations: readonly Location[];
}

/** Listing of an organization's machines and locations. */
interface OrganizationListing {
  readonly organization: Organization;
  readonly locations: readonly Location[];
  /** All machines, sorted by name regardless of their locations. */
  readonly machines: readonly ListedMachine[];
  /** Number of locations whose machines couldn't be read. */
  readonly failed: number;
}

/**
 * Returns an organization's locations, including those that other organizations share with it, and
 * their machines. Makes one call for each location whose list isn't cached yet, or for each location
 * if the read is `fresh`, a few at a time. Throws if the locations can't be read.
 */
export async function listOrganization(
  stores: FleetStores,
  organization: Organization,
  options: ReadOptions & { readonly signal: AbortSignal },
): Promise<OrganizationListing> {
  const { signal } = options;
  const locations = await stores.locations.list(organization.id, options);
  const byId = new Map(locations.map((location) => [location.id, location]));
  const found = new Map<LocationId, readonly Machine[]>();
  let failed = 0;
  await forEachBounded(locations, CONCURRENT_LISTS, async ({ id }) => {
    signal.throwIfAborted();
    try {
      found.set(id, await stores.machines.list(id, options));
    } catch (error) {
      if (signal.aborted) throw error;
      failed += 1;
    }
  });
  const namedMachines = locations.flatMap(({ id }) => {
    const path = pathTo(id, byId);
    return (found.get(id) ?? []).map((machine) => ({
      name: machine.name,
      listed: { machine, locations: path },
    }));
  });
  const machines = inNameOrder(namedMachines).map(({ listed }) => listed);
  return { organization, locations, machines, failed };
}

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
 * over the name and the path, so everything in a location matches if the location's name matches.
 * With a status filter, only machines match.
 */
export function filterListing(
  { organization, locations, machines }: OrganizationListing,
  filter: FleetFilter,
  now: Date,
): FilteredListing {
  const terms = toSearchTerms(filter);
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
    return matchesSearchTerms(terms, [machine.name, ...getTexts(path)], machine.id);
  });
  for (const { locations: path } of matching) show(path);
  if (statuses.size === 0) {
    for (const location of locations) {
      const path = pathTo(location.id, byId);
      if (matchesSearchTerms(terms, getTexts(path), location.id)) show(path);
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

/** Filter for a fleet. */
export interface FleetFilter {
  /** Words that must all occur in a resource's name, ID, or path, ignoring case. */
  readonly text: string;
  /** Statuses of machines; empty for all statuses. */
  readonly statuses: readonly OnlineStatus[];
}

export const NO_FILTER: FleetFilter = { text: '', statuses: [] };

/** Returns true if a filter excludes anything. */
export function isFiltering({ text, statuses }: FleetFilter): boolean {
  return text.trim() !== '' || statuses.length > 0;
}

/** Returns the words in the text of a filter, for `matchesSearchTerms`. */
export function toSearchTerms({ text }: Pick<FleetFilter, 'text'>): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * Minimum length of a word that is also searched for in IDs. Shorter words can occur in IDs by
 * chance.
 */
const MIN_ID_TERM_LENGTH = 6;

/**
 * Returns true if each word occurs in one of the strings or, if the word is long enough, in the ID.
 */
export function matchesSearchTerms(
  terms: readonly string[],
  texts: readonly string[],
  id: string,
): boolean {
  if (terms.length === 0) return true;
  const all = texts.join('\n').toLowerCase();
  return terms.every(
    (word) =>
      all.includes(word) || (word.length >= MIN_ID_TERM_LENGTH && id.toLowerCase().includes(word)),
  );
}
