import { sql } from 'kysely';
import { inBatches, queryByIds } from './identifiers';
import type { StoreAccess } from './store';

/** A fragment's usage, directly and through fragments that contain it. */
export interface FragmentUse {
  parts: number;
  machines: number;
  organizations: number;
  /** Number of machines in the requested organization that use the fragment. */
  machinesInOrganization: number;
  /** True if only parts in the fragment's own organization use it. */
  onlyByOwner: boolean;
}

export const UNUSED: FragmentUse = {
  parts: 0,
  machines: 0,
  organizations: 0,
  machinesInOrganization: 0,
  onlyByOwner: true,
};

/**
 * Records which fragments a part's config uses. Must run in the transaction that changes the
 * config.
 */
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
 * Records which fragments a fragment's config uses. Allows only one writer at a time, so the result
 * of a later `measureNesting` call remains valid until the commit. Must run in the transaction that
 * changes the config.
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

/** Returns the IDs of the fragments that a fragment's config uses. */
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

/**
 * A fragment's nesting, including the fragments that it contains and the fragments that contain it.
 */
export interface FragmentNesting {
  /**
   * Depth of the deepest nesting that includes the fragment, counting the fragment itself. Capped
   * at `limit` + 2.
   */
  levels: number;
  /** True if the fragment contains itself. */
  circular: boolean;
}

/**
 * Traverses the nesting in both directions to a depth of `limit` plus one. In the upward direction,
 * counts only fragments from the same organization. Otherwise, other users of a public fragment
 * would limit the fragments that its owner can nest.
 */
export async function measureNesting(
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
 * Returns the usage of each given fragment. Omits unused fragments.
 * @param organizationId organization whose machines are also counted separately.
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
