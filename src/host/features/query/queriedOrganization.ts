import { displayName } from '../../../core/model/displayText';
import type { LocationId } from '../../../core/model/ids';
import { listDescendants } from '../../../core/model/locationTree';
import {
  type LocationTarget,
  type OrganizationTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import { readingsQuery } from '../../../core/query/readingsQuery';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { owningOrganization } from '../../../core/stores/ownersAbove';
import type { QueryableTarget } from '../../../manifest/commandArguments';
import type { QueryText } from '../../../shared/query/editor';

/**
 * Returns the organization that owns a resource's readings. For the contents of a shared location,
 * this is the location's owner.
 */
export async function getQueriedOrganization(
  stores: FleetStores,
  target: QueryableTarget,
): Promise<OrganizationTarget> {
  if (target.kind === 'organization') return target;
  const { connectionId } = target;
  const { id, name } = await owningOrganization(stores, target);
  return { kind: 'organization', connectionId, organizationId: id, name };
}

/** Returns the initial query for a resource; undefined for a whole organization. */
export async function firstQuery(
  stores: FleetStores,
  target: QueryableTarget,
): Promise<QueryText | undefined> {
  const name = displayName({ name: target.name, id: targetId(target) });
  switch (target.kind) {
    case 'organization':
      return undefined;
    case 'location':
      return sql(readingsQuery({ locations: await locationsIn(stores, target) }, [name]));
    case 'machine':
      return sql(readingsQuery({ machines: [target.machineId] }, [name]));
    case 'part': {
      const machine = displayName({ name: target.machineName, id: target.machineId });
      return sql(readingsQuery({ parts: [target.partId] }, [`${machine} › ${name}`]));
    }
  }
}

/**
 * Returns a location and all locations nested in it, because a reading contains only the location
 * in which it was captured.
 */
async function locationsIn(
  { locations }: FleetStores,
  { organizationId, locationId }: LocationTarget,
): Promise<readonly LocationId[]> {
  const inside = listDescendants(locationId, await locations.list(organizationId));
  return [locationId, ...inside.map(({ id }) => id)];
}

function sql(text: string): QueryText {
  return { language: 'sql', text };
}
