import { type Kysely, sql } from 'kysely';
import { listImportedIds } from '../../../core/fragments/fragmentImport';
import { inBatches } from '../identifiers';
import type { FleetSchema } from '../schema';

/**
 * Creates the tables that record which fragments are used by parts and other fragments, and which
 * machines have a restart requested.
 */
export function fragmentUseTables(): string[] {
  return [
    // No foreign key to the fragment, because configs can refer to fragments that don't exist in
    // this service.
    `create table part_fragments (
      part_id text not null references parts (id) on delete cascade,
      fragment_id text not null,
      primary key (part_id, fragment_id)
    )`,
    `create index part_fragments_by_fragment on part_fragments (fragment_id)`,
    `create table nested_fragments (
      parent_id text not null references fragments (id) on delete cascade,
      child_id text not null,
      primary key (parent_id, child_id)
    )`,
    `create index fragment_revisions_by_revision on fragment_revisions (old_revision)`,
    `create index nested_fragments_by_child on nested_fragments (child_id)`,
    // Row that writers of nested fragments lock. Otherwise, two concurrent writers could create a
    // cycle.
    `insert into service_settings (name, value) values ('fragment_nesting', '')`,
    `alter table parts add column restart_told_at bigint`,
  ];
}

const BATCH = 500;

/** Records the fragment uses in configs that were stored before these tables existed. */
export async function fillFragmentUse(db: Kysely<FleetSchema>): Promise<void> {
  await eachConfig(db, 'parts', async (id, fragmentIds) => {
    await inBatches(fragmentIds, (batch) =>
      db
        .insertInto('part_fragments')
        .values(batch.map((fragmentId) => ({ part_id: id, fragment_id: fragmentId })))
        .execute(),
    );
  });
  await eachConfig(db, 'fragments', async (id, fragmentIds) => {
    await inBatches(fragmentIds, (batch) =>
      db
        .insertInto('nested_fragments')
        .values(batch.map((childId) => ({ parent_id: id, child_id: childId })))
        .execute(),
    );
  });
}

async function eachConfig(
  db: Kysely<FleetSchema>,
  table: 'parts' | 'fragments',
  write: (id: string, fragmentIds: string[]) => Promise<void>,
): Promise<void> {
  let last = '';
  for (;;) {
    const { rows } = await sql<{ id: string; config_json: string }>`
      select id, config_json from ${sql.table(table)}
      where id > ${last} order by id limit ${BATCH}`.execute(db);
    for (const { id, config_json } of rows) {
      const fragmentIds = listImportedIds(JSON.parse(config_json));
      if (fragmentIds.length > 0) await write(id, fragmentIds);
    }
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id ?? '';
  }
}
