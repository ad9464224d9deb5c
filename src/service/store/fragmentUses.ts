import { sql } from 'kysely';
import { inBatches, queryByIds } from './idBatches';
import type { StoreAccess } from './store';

/** How much a fragment is used, directly and through the fragments that it is nested in. */
export interface FragmentUse {
  parts: number;
  machines: number;
  organizations: number;
  /** Machines of the organization that was asked about. */
  machinesInOrganization: number;
  /** No part of another organization than the fragment's own uses it. */
  onlyByOwner: boolean;
}

export const UNUSED: FragmentUse = {
  parts: 0,
  machines: 0,
  organizations: 0,
  machinesInOrganization: 0,
  onlyByOwner: true,
};

/** Notes which fragments the config of a part names now. Run it in the config's transaction. */
export async function writePartFragments(
  access: StoreAccess,
  partId: string,
  fragmentIds: readonly string[],
): Promise<void> {
  await access.deleteFrom('part_fragments').where('part_id', '=', partId).execute();
  await inBatches(fragmentIds, (batch) =>
    access
      .insertInto('part_fragments')
      .values(batch.map((id) => ({ part_id: partId, fragment_id: id })))
      .execute(),
  );
}

/**
 * Notes which fragments the config of a fragment names now, one writer at a time, so that what
 * `nestingOf` then answers stays true until the commit. Run it in the config's transaction.
 */
export async function writeNestedFragments(
  access: StoreAccess,
  fragmentId: string,
  childIds: readonly string[],
): Promise<void> {
  await sql`update service_settings set value = value where name = 'fragment_nesting'`.execute(
    access,
  );
  await access.deleteFrom('nested_fragments').where('parent_id', '=', fragmentId).execute();
  await inBatches(childIds, (batch) =>
    access
      .insertInto('nested_fragments')
      .values(batch.map((id) => ({ parent_id: fragmentId, child_id: id })))
      .execute(),
  );
}

/** The ids of the fragments that the config of a fragment names. */
export async function listNestedFragments(
  access: StoreAccess,
  fragmentId: string,
): Promise<string[]> {
  const rows = await access
    .selectFrom('nested_fragments')
    .select('child_id')
    .where('parent_id', '=', fragmentId)
    .execute();
  return rows.map((row) => row.child_id);
}

/** How a fragment stands among those it contains and those that contain it. */
export interface FragmentNesting {
  /** The levels of the deepest nest that it is part of, itself included, counted up to `limit`+2. */
  levels: number;
  /** It contains itself. */
  circular: boolean;
}

/**
 * Looks as many levels up and down as `limit` allows, and one more. Above it counts fragments of the
 * same organization only: others who use a public fragment do not decide what its owner may nest.
 */
export async function nestingOf(
  access: StoreAccess,
  fragmentId: string,
  limit: number,
): Promise<FragmentNesting> {
  const { rows } = await sql<{ below: number; above: number; circular: number }>`
    with recursive down (id, depth) as (
      select n.child_id, 1 from nested_fragments n join fragments f on f.id = n.child_id
        where n.parent_id = ${fragmentId}
      union
      select n.child_id, down.depth + 1
        from down join nested_fragments n on n.parent_id = down.id
        join fragments f on f.id = n.child_id where down.depth <= ${limit}
    ), up (id, organization_id, depth) as (
      select f.id, f.organization_id, 0 from fragments f where f.id = ${fragmentId}
      union
      select f.id, f.organization_id, up.depth + 1
        from up join nested_fragments n on n.child_id = up.id
        join fragments f on f.id = n.parent_id and f.organization_id = up.organization_id
        where up.depth <= ${limit}
    ) select
        (select coalesce(max(depth), 0) from down) as below,
        (select coalesce(max(depth), 0) from up) as above,
        (select count(*) from down where id = ${fragmentId}) as circular`.execute(access);
  const { below = 0, above = 0, circular = 0 } = rows[0] ?? {};
  return { levels: 1 + below + above, circular: circular > 0 };
}

/**
 * How much each of these fragments is used; those that nobody uses are left out.
 * @param organizationId whose machines to count apart.
 */
export async function listFragmentUses(
  access: StoreAccess,
  fragmentIds: readonly string[],
  organizationId: string,
): Promise<Map<string, FragmentUse>> {
  const rows = await queryByIds(fragmentIds, async (ids) => {
    const answer = await usesQuery(ids, organizationId).execute(access);
    return answer.rows;
  });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        parts: row.parts,
        machines: row.machines,
        organizations: row.organizations,
        machinesInOrganization: row.own_machines,
        onlyByOwner: row.foreign_parts === 0,
      },
    ]),
  );
}

interface UseRow {
  id: string;
  parts: number;
  machines: number;
  organizations: number;
  own_machines: number;
  foreign_parts: number;
}

function usesQuery(fragmentIds: readonly string[], organizationId: string) {
  return sql<UseRow>`with recursive within (root, id) as (
      select id, id from fragments where id in (${sql.join(fragmentIds)})
      union
      select within.root, n.parent_id
        from within join nested_fragments n on n.child_id = within.id
    ) select within.root as id,
        count(distinct p.id) as parts,
        count(distinct m.id) as machines,
        count(distinct l.organization_id) as organizations,
        count(distinct case when l.organization_id = ${organizationId} then m.id end) as own_machines,
        count(distinct case when l.organization_id <> f.organization_id then p.id end) as foreign_parts
      from within
      join fragments f on f.id = within.root
      join part_fragments u on u.fragment_id = within.id
      join parts p on p.id = u.part_id
      join machines m on m.id = p.machine_id
      join locations l on l.id = m.location_id
      group by within.root`;
}
