import {
  connectionId,
  datasetId,
  locationId,
  machineId,
  type OrganizationId,
  organizationId,
  partId,
} from '../../../core/model/ids';
import { targetId } from '../../../core/model/resourceTarget';
import type { BrowsableTarget } from '../../../manifest/commandArguments';
import {
  type Guarded,
  isOneOf,
  isOptional,
  isShape,
  isString,
  parsedAs,
} from '../../../shared/guards';
import type { Connection } from '../../../core/model/connection';
import { type DataFilter, everyData, isDataFilter } from '../../../shared/data/dataFilter';
import { type DataTab, isDataTab } from '../../../shared/data/dataPanel';
import { owningOrganization } from '../../../core/stores/ownersAbove';
import type { FleetStores } from '../../../core/stores/fleetStores';

export const isStoredTarget = isShape({
  kind: isOneOf('organization', 'location', 'machine', 'part', 'dataset'),
  organization: isString,
  name: isString,
  location: isOptional(isString),
  machine: isOptional(isString),
  machineName: isOptional(isString),
  part: isOptional(isString),
  dataset: isOptional(isString),
});
/** Serialized target. Fields that its kind doesn't have are absent. */
export type StoredTarget = Guarded<typeof isStoredTarget>;

const isStored = isShape({
  connection: isString,
  target: isStoredTarget,
  owner: isString,
});
type StoredPanel = Guarded<typeof isStored>;

/** Target for which a data panel was opened. */
export interface DescribedPanel {
  readonly target: BrowsableTarget;
  /** Organization that owns the target's data. */
  readonly owner: OrganizationId;
}

/** Returns true if two targets are the same resource, regardless of renames. */
export function isSameTarget(one: BrowsableTarget, other: BrowsableTarget): boolean {
  return (
    one.connectionId === other.connectionId &&
    one.kind === other.kind &&
    targetId(one) === targetId(other)
  );
}

/** Serializes a data panel's target for its webview's state. */
export function describePanel({ target, owner }: DescribedPanel): string {
  const stored: StoredPanel = {
    connection: target.connectionId,
    target: storedTarget(target),
    owner,
  };
  return JSON.stringify(stored);
}

/** Parses a serialized target; undefined if it's invalid, for example from another version. */
export function describedPanel(description: string): DescribedPanel | undefined {
  const stored = parsedAs(description, isStored);
  if (!stored) return undefined;
  const target = toBrowsableTarget(stored.connection, stored.target);
  return target && { target, owner: organizationId(stored.owner) };
}

export function storedTarget(target: BrowsableTarget): StoredTarget {
  const { kind, organizationId: organization, name } = target;
  const common = { kind, organization, name };
  switch (target.kind) {
    case 'organization':
      return common;
    case 'location':
      return { ...common, location: target.locationId };
    case 'machine':
      return { ...common, location: target.locationId, machine: target.machineId };
    case 'part': {
      const { locationId: location, machineId: machine, machineName, partId: part } = target;
      return { ...common, location, machine, machineName, part };
    }
    case 'dataset':
      return { ...common, dataset: target.datasetId };
  }
}

/** Returns a target in a connection; undefined if a field of its kind is missing. */
export function toBrowsableTarget(
  connection: string,
  stored: StoredTarget,
): BrowsableTarget | undefined {
  const { kind, name, location, machine, machineName, part, dataset } = stored;
  const common = {
    connectionId: connectionId(connection),
    organizationId: organizationId(stored.organization),
    name,
  };
  if (kind === 'organization') return { ...common, kind };
  if (kind === 'dataset') {
    return dataset === undefined ? undefined : { ...common, kind, datasetId: datasetId(dataset) };
  }
  if (location === undefined) return undefined;
  const inside = { ...common, locationId: locationId(location) };
  if (kind === 'location') return { ...inside, kind };
  if (machine === undefined) return undefined;
  const within = { ...inside, machineId: machineId(machine) };
  if (kind === 'machine') return { ...within, kind };
  if (part === undefined || machineName === undefined) return undefined;
  return { ...within, kind, machineName, partId: partId(part) };
}

/** `<publisher>.<name>` of package.json, which VS Code uses to find the extension for a link. */
const EXTENSION = 'fleetwright.fleetwright';
const PATH = '/data';
const PARAMETER = 'view';
/**
 * Approximate maximum length of a link that all operating systems support. Also limits untrusted
 * links.
 */
const MAX_LINK_LENGTH = 32_768;

/** View of a data panel that can also be opened with another user's key. */
export interface DataView {
  readonly target: BrowsableTarget;
  readonly filter: DataFilter;
  readonly tab: DataTab;
}

/** Initial state of a panel. */
export interface PanelStart extends DataView, DescribedPanel {}

const isLinkedView = isShape({
  /** URL of the service. */
  service: isString,
  target: isStoredTarget,
  filter: isDataFilter,
  tab: isDataTab,
});
type LinkedView = Guarded<typeof isLinkedView>;

/**
 * Returns a link that opens the same view in VS Code; undefined if the view is too large for a
 * link. The link contains IDs and names, but no credentials.
 */
export function dataLink(
  scheme: string,
  { target, filter, tab, service }: DataView & { readonly service: string },
): string | undefined {
  const linked: LinkedView = { filter, tab, service, target: storedTarget(target) };
  const text = Buffer.from(JSON.stringify(linked)).toString('base64url');
  if (text.length > MAX_LINK_LENGTH) return undefined;
  return `${scheme}://${EXTENSION}${PATH}?${PARAMETER}=${text}`;
}

/** Parses the view from a link; undefined for other links. */
export function linkedView(path: string, query: string): LinkedView | undefined {
  const text = new URLSearchParams(query).get(PARAMETER);
  if (path !== PATH || text === null || text.length > MAX_LINK_LENGTH) return undefined;
  return parsedAs(Buffer.from(text, 'base64url').toString('utf8'), isLinkedView);
}

/** Returns the view through a connection to the link's service, preferably the active one. */
export function viewThrough(
  { service, target, filter, tab }: LinkedView,
  connections: readonly (Connection | undefined)[],
): DataView | undefined {
  const connection = connections.find((one) => one?.baseUrl === service);
  const whole = connection && toBrowsableTarget(connection.id, target);
  return whole && { target: whole, filter, tab };
}

/**
 * Returns the initial filter for a resource's data. @param owner organization that owns the data.
 */
export function filterFor(target: BrowsableTarget, owner: OrganizationId): DataFilter {
  const filter: DataFilter = { ...everyData, organizations: [owner] };
  switch (target.kind) {
    case 'organization':
      return filter;
    case 'location':
      return { ...filter, locations: [target.locationId] };
    case 'machine':
      return { ...filter, machine: target.machineId };
    case 'part':
      return { ...filter, machine: target.machineId, part: target.partId };
    case 'dataset':
      return { ...filter, dataset: target.datasetId };
  }
}

/**
 * Returns the organization that owns a resource's data. For the contents of a shared location, this
 * is the location's owner.
 */
export async function getOwner(
  stores: FleetStores,
  target: BrowsableTarget,
): Promise<OrganizationId> {
  if (target.kind === 'organization' || target.kind === 'dataset') return target.organizationId;
  return (await owningOrganization(stores, target)).id;
}
