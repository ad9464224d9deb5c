import { type Kysely, sql } from 'kysely';
import { parseRegistryItemIds } from '../../../core/fragments/registryReferences';
import type { FleetSchema } from '../schema';

/** Creates the tables for registry items, the apps of modules, and the uses of items in configs. */
export function registryTables(): string[] {
  return [
    `create table registry_items (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      name text not null,
      type integer not null,
      visibility integer not null,
      status integer not null,
      url text not null,
      description text not null,
      markdown_description text,
      metadata text not null,
      billing text,
      created_at bigint not null,
      updated_at bigint not null,
      unique (organization_id, name)
    )`,
    `create index registry_items_by_visibility on registry_items (visibility)`,
    `create table registry_apps (
      organization_id text not null references organizations (id) on delete cascade,
      name text not null,
      item_id text not null references registry_items (id) on delete cascade,
      primary key (organization_id, name)
    )`,
    `create index registry_apps_by_item on registry_apps (item_id)`,
    // No foreign key to the item, because configs can refer to items in other registries.
    `create table registry_uses (
      item_ref text not null,
      part_id text references parts (id) on delete cascade,
      fragment_id text references fragments (id) on delete cascade
    )`,
    `create index registry_uses_by_item on registry_uses (item_ref)`,
    `create index registry_uses_by_part on registry_uses (part_id)`,
    `create index registry_uses_by_fragment on registry_uses (fragment_id)`,
  ];
}

const BATCH = 500;

/** Records the item uses in configs that were stored before these tables existed. */
export async function fillRegistryUses(db: Kysely<FleetSchema>): Promise<void> {
  await fillFrom(db, 'parts', 'part_id');
  await fillFrom(db, 'fragments', 'fragment_id');
}

async function fillFrom(
  db: Kysely<FleetSchema>,
  table: 'parts' | 'fragments',
  column: 'part_id' | 'fragment_id',
): Promise<void> {
  let last = '';
  for (;;) {
    const { rows } = await sql<{ id: string; config_json: string }>`
      select id, config_json from ${sql.table(table)}
      where id > ${last} order by id limit ${BATCH}`.execute(db);
    for (const { id, config_json } of rows) {
      for (const ref of parseRegistryItemIds(config_json)) {
        await sql`insert into registry_uses (item_ref, ${sql.ref(column)})
          values (${ref}, ${id})`.execute(db);
      }
    }
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id ?? '';
  }
}
