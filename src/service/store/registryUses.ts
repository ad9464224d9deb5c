import { sql } from 'kysely';
import { inBatches, queryByIds } from './identifiers';
import type { StoreAccess } from './store';

/**
 * A registry item's usage by part configs, including usage through the fragments that these configs
 * import.
 */
export interface RegistryUse {
  machines: number;
  /** Number of machines in organizations other than the item's. */
  externalMachines: number;
  organizations: number;
  externalOrganizations: number;
}

export const NOT_USED: RegistryUse = {
  machines: 0,
  externalMachines: 0,
  organizations: 0,
  externalOrganizations: 0,
};

/**
 * Records which registry items a config uses. Must run in the transaction that changes the config.
 */
export async function writeRegistryUses(
  access: StoreAccess,
  user: { partId: string } | { fragmentId: string },
  itemRefs: readonly string[],
): Promise<void> {
  const partId = 'partId' in user ? user.partId : null;
  const fragmentId = 'fragmentId' in user ? user.fragmentId : null;
  await access
    .deleteFrom('registry_uses')
    .where((eb) => eb.or([eb('part_id', '=', partId), eb('fragment_id', '=', fragmentId)]))
    .execute();
  await inBatches(itemRefs, (batch) =>
    access
      .insertInto('registry_uses')
      .values(
        batch.map((itemRef) => ({ item_ref: itemRef, part_id: partId, fragment_id: fragmentId })),
      )
      .execute(),
  );
}

/**
 * Selects the items with the given IDs, the configs that refer to these items, and the parts to
 * which the configs apply.
 */
function selectUses(itemIds: readonly string[]) {
  return sql`with recursive named (item_id, part_id, fragment_id) as (
      select i.id, u.part_id, u.fragment_id
        from registry_items i
        join organizations o on o.id = i.organization_id
        join registry_uses u
          on u.item_ref in (
            o.id || ':' || i.name,
            case when not exists (select 1 from organizations owner where owner.id = o.public_namespace)
              then o.public_namespace || ':' || i.name end)
        where i.id in (${sql.join(itemIds)})
    ), within (item_id, fragment_id) as (
      select item_id, fragment_id from named where fragment_id is not null
      union
      select within.item_id, n.parent_id
        from within join nested_fragments n on n.child_id = within.fragment_id
    ), users (item_id, part_id) as (
      select item_id, part_id from named where part_id is not null
      union
      select within.item_id, u.part_id
        from within join part_fragments u on u.fragment_id = within.fragment_id
    )`;
}

/** Returns the usage of each given item. Omits unused items. */
export async function listRegistryUses(
  access: StoreAccess,
  itemIds: readonly string[],
): Promise<Map<string, RegistryUse>> {
  const rows = await queryByIds(itemIds, async (ids) => {
    const answer = await sql<RegistryUse & { id: string }>`${selectUses(ids)}
      select i.id as id,
        count(distinct m.id) as machines,
        count(distinct case when l.organization_id <> i.organization_id then m.id end)
          as "externalMachines",
        count(distinct l.organization_id) as organizations,
        count(distinct case when l.organization_id <> i.organization_id then l.organization_id end)
          as "externalOrganizations"
      from users
      join registry_items i on i.id = users.item_id
      join parts p on p.id = users.part_id
      join machines m on m.id = p.machine_id
      join locations l on l.id = m.location_id
      group by i.id`.execute(access);
    return answer.rows;
  });
  return new Map(rows.map(({ id, ...use }) => [id, use]));
}

/** Resource that refers to an item, and the resource's owner. */
export interface RegistryUser {
  kind: 'machine' | 'fragment';
  name: string;
  own: boolean;
}

/**
 * Returns the machines that use an item and the fragments that refer to it, starting with the item
 * owner's resources.
 */
export async function listRegistryUsers(
  access: StoreAccess,
  itemId: string,
): Promise<RegistryUser[]> {
  const { rows } = await sql<{ kind: 'machine' | 'fragment'; name: string; own: number }>`
    ${selectUses([itemId])}
    select distinct 'machine' as kind, m.id as id, m.name as name,
        case when l.organization_id = i.organization_id then 1 else 0 end as own
      from users
      join registry_items i on i.id = users.item_id
      join parts p on p.id = users.part_id
      join machines m on m.id = p.machine_id
      join locations l on l.id = m.location_id
    union all
    select distinct 'fragment' as kind, f.id as id, f.name as name,
        case when f.organization_id = i.organization_id then 1 else 0 end as own
      from named
      join registry_items i on i.id = named.item_id
      join fragments f on f.id = named.fragment_id
    order by own desc, kind desc, name`.execute(access);
  return rows.map(({ kind, name, own }) => ({ kind, name, own: own === 1 }));
}

/** Resource whose own config refers to an item. */
export interface NamingConfig extends RegistryUser {
  config_json: string;
}

/**
 * Returns the machines and fragments whose own configs refer to an item, starting with the item
 * owner's resources.
 */
export async function listNamingConfigs(
  access: StoreAccess,
  itemId: string,
): Promise<NamingConfig[]> {
  const { rows } = await sql<Omit<NamingConfig, 'own'> & { own: number }>`
    ${selectUses([itemId])}
    select 'machine' as kind, m.name as name, p.config_json as config_json,
        case when l.organization_id = i.organization_id then 1 else 0 end as own
      from named
      join registry_items i on i.id = named.item_id
      join parts p on p.id = named.part_id
      join machines m on m.id = p.machine_id
      join locations l on l.id = m.location_id
    union all
    select 'fragment' as kind, f.name as name, f.config_json as config_json,
        case when f.organization_id = i.organization_id then 1 else 0 end as own
      from named
      join registry_items i on i.id = named.item_id
      join fragments f on f.id = named.fragment_id
    order by own desc, kind desc, name`.execute(access);
  return rows.map(({ own, ...row }) => ({ ...row, own: own === 1 }));
}
