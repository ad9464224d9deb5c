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
