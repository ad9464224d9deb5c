import { sql } from 'kysely';
import { inBatches, queryByIds } from './idBatches';
import type { StoreAccess } from './store';

/** How much a registry item is used, by configs of parts and by the fragments that they import. */
export interface RegistryUse {
  machines: number;
  /** Of them those of other organizations than the item's own. */
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

/** Notes which registry items a config names now. Run it in the config's transaction. */
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

/** The items with these ids, the configs that name them, and the parts those configs come to. */
function usesOf(itemIds: readonly string[]) {
  return sql`with recursive named (item_id, part_id, fragment_id) as (
      select i.id, u.part_id, u.fragment_id
        from registry_items i
        join organizations o on o.id = i.organization_id
        join registry_uses u
          on u.item_ref in (o.id || ':' || i.name, o.public_namespace || ':' || i.name)
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

/** How much each of these items is used; those that nobody uses are left out. */
export async function listRegistryUses(
  access: StoreAccess,
  itemIds: readonly string[],
): Promise<Map<string, RegistryUse>> {
  const rows = await queryByIds(itemIds, async (ids) => {
    const answer = await sql<RegistryUse & { id: string }>`${usesOf(ids)}
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

/** Something that names an item, and whose it is. */
export interface RegistryUser {
  kind: 'machine' | 'fragment';
  name: string;
  own: boolean;
}

/** The machines that use an item and the fragments that name it, the owner's own first. */
export async function listRegistryUsers(
  access: StoreAccess,
  itemId: string,
): Promise<RegistryUser[]> {
  const { rows } = await sql<{ kind: 'machine' | 'fragment'; name: string; own: number }>`
    ${usesOf([itemId])}
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

/** Something whose own config names an item. */
export interface NamingConfig extends RegistryUser {
  config_json: string;
}

/** The machines and fragments whose own configs name an item, the owner's own first. */
export async function listNamingConfigs(
  access: StoreAccess,
  itemId: string,
): Promise<NamingConfig[]> {
  const { rows } = await sql<Omit<NamingConfig, 'own'> & { own: number }>`
    ${usesOf([itemId])}
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
