import { sql } from 'kysely';
import { queryByIds } from './idBatches';
import type { ResourcePath } from './resourcePath';
import type { ResourceType } from './schema';
import type { StoreAccess } from './store';

/** Resource on which roles can be granted. */
export interface RoleResource {
  type: ResourceType;
  id: string;
}

/** Fields of a location that are needed for paths. */
interface Step {
  id: string;
  parent_id: string | null;
  organization_id: string;
}

/**
 * Resolves many resources like `resolvePath`, with five queries per ten thousand resources.
 * @returns the paths in the order of the resources; undefined for resources that don't exist.
 */
export async function resolvePaths(
  access: StoreAccess,
  resources: readonly RoleResource[],
): Promise<(ResourcePath | undefined)[]> {
  const getIds = (type: ResourceType): string[] =>
    resources.filter((resource) => resource.type === type).map(({ id }) => id);
  const organizations = await queryByIds(getIds('organization'), (ids) =>
    access.selectFrom('organizations').select('id').where('id', 'in', ids).execute(),
  );
  const machines = await queryByIds(getIds('robot'), (ids) =>
    access.selectFrom('machines').select(['id', 'location_id']).where('id', 'in', ids).execute(),
  );
  const locationIds = [...getIds('location'), ...machines.map((row) => row.location_id)];
  const steps = new Map((await stepsFrom(access, locationIds)).map((step) => [step.id, step]));
  const shares = await listShares(access, [...steps.keys()]);
  const locationByMachine = new Map(machines.map((row) => [row.id, row.location_id]));
  const known = new Set(organizations.map(({ id }) => id));

  return resources.map(({ type, id }) => {
    if (type === 'organization') {
      return known.has(id) ? toResourcePath(id, [], [], new Map()) : undefined;
    }
    const up = stepsUp(steps, type === 'robot' ? locationByMachine.get(id) : id);
    const organizationId = up[0]?.organization_id;
    const machine = type === 'robot' ? [{ type, id }] : [];
    return organizationId === undefined
      ? undefined
      : toResourcePath(organizationId, machine, up, shares);
  });
}

/** Returns the given locations and all their ancestors, without duplicates. */
async function stepsFrom(access: StoreAccess, locationIds: readonly string[]): Promise<Step[]> {
  return queryByIds(locationIds, async (ids) => {
    const { rows } = await sql<Step>`with recursive up (id, parent_id, organization_id) as (
        select id, parent_id, organization_id from locations where id in (${sql.join(ids)})
        union
        select l.id, l.parent_id, l.organization_id from up join locations l on l.id = up.parent_id
      ) select id, parent_id, organization_id from up`.execute(access);
    return rows;
  });
}

/** Returns the organizations that each of the given locations is directly shared with. */
async function listShares(
  access: StoreAccess,
  locationIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await queryByIds(locationIds, (ids) =>
    access.selectFrom('location_shares').selectAll().where('location_id', 'in', ids).execute(),
  );
  const byLocation = Map.groupBy(rows, (row) => row.location_id);
  return new Map([...byLocation].map(([id, of]) => [id, of.map((row) => row.organization_id)]));
}

function stepsUp(steps: ReadonlyMap<string, Step>, locationId: string | undefined): Step[] {
  const up = new Set<Step>();
  let step = steps.get(locationId ?? '');
  // Locations might be moved between the queries that read the rows. The old and new parents could
  // then form a cycle, which must not cause an infinite loop.
  while (step !== undefined && !up.has(step)) {
    up.add(step);
    step = steps.get(step.parent_id ?? '');
  }
  return [...up];
}

function toResourcePath(
  organizationId: string,
  machine: readonly RoleResource[],
  up: readonly Step[],
  shares: ReadonlyMap<string, readonly string[]>,
): ResourcePath {
  return {
    organizationId,
    chain: [
      ...machine,
      ...up.map(({ id }): RoleResource => ({ type: 'location', id })),
      { type: 'organization', id: organizationId },
    ],
    publicRead: false,
    sharedWith: [...new Set(up.flatMap(({ id }) => shares.get(id) ?? []))],
  };
}
