import { displayName } from '../../../core/model/displayText';
import type { LocationId } from '../../../core/model/ids';
import { descendantsOf } from '../../../core/model/locationTree';
import {
  type LocationTarget,
  type OrganizationTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import { readingsQuery } from '../../../core/query/readingsQuery';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { owningOrganization } from '../../../core/stores/owningOrganization';
import type { QueryableTarget } from '../../../manifest/commands';
import type { QueryText } from '../../../shared/query/editor';

/** The organization whose readings a resource has: what stands in a shared location is its owner's. */
export async function askedOrganization(
  stores: FleetStores,
  target: QueryableTarget,
): Promise<OrganizationTarget> {
  if (target.kind === 'organization') return target;
  const { connectionId } = target;
  const { id, name } = await owningOrganization(stores, target);
  return { kind: 'organization', connectionId, organizationId: id, name };
}

/** The query that a panel is opened with on a resource; none for a whole organization. */
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

/** A location with all that are inside it: readings have the one that captured them. */
async function locationsIn(
  { locations }: FleetStores,
  { organizationId, locationId }: LocationTarget,
): Promise<readonly LocationId[]> {
  const inside = descendantsOf(locationId, await locations.list(organizationId));
  return [locationId, ...inside.map(({ id }) => id)];
}

function sql(text: string): QueryText {
  return { language: 'sql', text };
}
