import { forEachBounded } from '../../base/bounded';
import type { Location, Organization, PartSummary } from '../model/entities';
import type { ConnectionId, LocationId, MachineId, PartId } from '../model/ids';
import { listDescendants, pathNames } from '../model/locationTree';
import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
} from '../model/resourceTarget';
import type { FleetStores } from './fleetStores';
import { FleetError } from '../api/errors';

const CONCURRENT_LISTS = 8;

/** Machine with the names of its parents, starting with the organization. */
export interface MachineWithPath {
  readonly target: MachineTarget;
  readonly path: readonly string[];
}

/** Part with the names of its parents, starting with the organization. */
export interface PartWithPath {
  readonly target: PartTarget;
  readonly path: readonly string[];
}

/** Part of a machine, and a flag for the machine's main part. */
export interface MachinePart extends PartWithPath {
  readonly main: boolean;
}

/**
 * Returns all machines in an organization, or in a location and the locations inside it, in tree
 * order. For an organization, excludes locations that other organizations share with it. To include
 * their machines, the caller must specify the location itself. Throws the error for the first list
 * that can't be read.
 */
export async function machinesIn(
  stores: FleetStores,
  scope: OrganizationTarget | LocationTarget,
  signal: AbortSignal,
): Promise<readonly MachineWithPath[]> {
  const { connectionId, organizationId } = scope;
  const [organization, all] = await Promise.all([
    stores.organizations.get(organizationId, { signal }),
    stores.locations.list(organizationId, { signal }),
  ]);
  const byId = new Map(all.map((location) => [location.id, location]));
  const locations =
    scope.kind === 'organization'
      ? all.filter(({ owner }) => owner === undefined || owner.id === organizationId)
      : withDescendants(scope.locationId, all, byId);
  const found = new Map<LocationId, readonly MachineWithPath[]>();
  await forEachBounded(locations, CONCURRENT_LISTS, async ({ id, owner }) => {
    signal.throwIfAborted();
    const machines = await stores.machines.list(id, { signal });
    const home = owner && owner.name !== '' ? owner : organization;
    const path = [home.name, ...pathNames(id, byId)];
    found.set(
      id,
      machines.map((machine) => ({
        path,
        target: {
          kind: 'machine',
          connectionId,
          organizationId,
          locationId: id,
          machineId: machine.id,
          name: machine.name,
        },
      })),
    );
  });
  const machinesWithPath = locations.flatMap(({ id }) => found.get(id) ?? []);
  return machinesWithPath.toSorted((a, b) => comparePaths(a.path, b.path));
}

/** Returns the parts of each machine, with its main part first. */
export async function listMachineParts(
  stores: FleetStores,
  machines: readonly MachineWithPath[],
  signal: AbortSignal,
): Promise<readonly MachinePart[]> {
  const found = new Map<MachineWithPath, readonly MachinePart[]>();
  await forEachBounded(machines, CONCURRENT_LISTS, async (machine) => {
    signal.throwIfAborted();
    const parts = await stores.parts.list(machine.target.machineId, { signal });
    found.set(
      machine,
      parts.map((part) => ({
        main: part.main,
        path: [...machine.path, machine.target.name],
        target: partTarget(machine.target, part),
      })),
    );
  });
  return machines.flatMap((machine) => found.get(machine) ?? []);
}

/** Returns the target for a part of a machine. */
export function partTarget(
  machine: MachineTarget,
  { id, name }: Pick<PartSummary, 'id' | 'name'>,
): PartTarget {
  return { ...machine, kind: 'part', machineName: machine.name, partId: id, name };
}

function withDescendants(
  id: LocationId,
  all: readonly Location[],
  byId: ReadonlyMap<LocationId, Location>,
): readonly Location[] {
  const own = byId.get(id);
  return [...(own ? [own] : []), ...listDescendants(id, all)];
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [a.join('\0'), b.join('\0')];
  return left.localeCompare(right, undefined, { numeric: true });
}

/**
 * Finds a machine's main part, or the first part if no part is marked as the main part.
 *
 * @returns undefined if the machine has no parts.
 * @throws FleetError if the parts can't be read
 */
export async function findMainPart(
  { parts }: FleetStores,
  machine: MachineTarget,
): Promise<PartTarget | undefined> {
  const list = await parts.list(machine.machineId);
  const part = list.find(({ main }) => main) ?? list[0];
  return part && partTarget(machine, part);
}

/** Part and its parents, found only by the part's ID. */
export interface PartMatch {
  readonly target: PartTarget;
  readonly organization: Organization;
}

/**
 * Finds a part by its ID. @throws FleetError `notFound` if no organization in this connection
 * contains the part.
 */
export async function findPart(
  stores: FleetStores,
  connectionId: ConnectionId,
  partId: PartId,
): Promise<PartMatch> {
  const target = await findPartTarget(stores, connectionId, partId);
  if (!target) {
    const { name } = await stores.parts.get(partId);
    const message = stores.l10n.t(
      'None of your organizations contains the part "{0}". Refresh the Fleet view, or ask an owner for access.',
      name,
    );
    throw new FleetError('notFound', message);
  }
  return { target, organization: await stores.organizations.get(target.organizationId) };
}

/**
 * Returns the target for a part; undefined if no organization in this connection contains it.
 *
 * @throws FleetError if the part or its machine can't be read
 */
export async function findPartTarget(
  stores: FleetStores,
  connectionId: ConnectionId,
  partId: PartId,
): Promise<PartTarget | undefined> {
  const part = await stores.parts.get(partId);
  const machine = await findMachineTarget(stores, connectionId, part.machineId);
  return machine && partTarget(machine, part);
}

/**
 * Returns the target for a machine; undefined if no organization in this connection contains it.
 *
 * @throws FleetError if the machine can't be read
 */
export async function findMachineTarget(
  stores: FleetStores,
  connectionId: ConnectionId,
  machineId: MachineId,
): Promise<MachineTarget | undefined> {
  const { name, locationId } = await stores.machines.get(machineId);
  const location = await findLocationTarget(stores, connectionId, locationId);
  return location && { ...location, kind: 'machine', machineId, name };
}

/**
 * Returns the target for a location in the lists of the visible organizations; undefined if no list
 * contains it. A shared location is in more than one list. The list of its own organization takes
 * precedence if that organization is visible.
 */
export async function findLocationTarget(
  stores: FleetStores,
  connectionId: ConnectionId,
  locationId: LocationId,
): Promise<LocationTarget | undefined> {
  let shared: LocationTarget | undefined;
  for (const { id: organizationId } of await stores.organizations.list()) {
    const locations = await stores.locations.list(organizationId);
    const location = locations.find(({ id }) => id === locationId);
    if (!location) continue;
    const { name, owner } = location;
    const target = { kind: 'location', connectionId, organizationId, locationId, name } as const;
    if (owner === undefined || owner.id === organizationId) return target;
    shared ??= target;
  }
  return shared;
}
