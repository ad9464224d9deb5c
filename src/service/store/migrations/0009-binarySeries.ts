import { type Kysely, sql } from 'kysely';
import { BINARY_SERIES_COLUMNS, ensureBinarySeriesId, toBinarySeries } from '../data/binaryPages';
import type { BinaryDataRow } from '../data/dataSchema';
import type { FleetSchema } from '../schema';
import type { SchemaDialect } from './schemaDialect';

/** Tables of marks on items. */
const MARKS = ['binary_tags', 'bounding_boxes'] as const;

/**
 * Creates the tables for series of binary items and their daily counts, and the indexes for all
 * types of filtered lists. An item's columns that other tables copy never change.
 */
export function binarySeriesTables({ sequenceColumn }: SchemaDialect): string[] {
  return [
    `create table binary_series (
      id ${sequenceColumn},
      series_key text not null unique,
      organization_id text not null references organizations (id) on delete cascade,
      location_id text not null,
      robot_id text not null,
      robot_name text not null,
      part_id text not null,
      part_name text not null,
      component_type text not null,
      component_kind text not null,
      component_name text not null,
      method_name text not null,
      mime_type text not null,
      is_internal integer not null
    )`,
    `create index binary_series_by_organization on binary_series (organization_id)`,
    `create index binary_series_by_location on binary_series (location_id)`,
    `create index binary_series_by_machine on binary_series (robot_id)`,
    `create index binary_series_by_part on binary_series (part_id)`,
    `create table binary_days (
      series_id bigint not null references binary_series (id) on delete cascade,
      day bigint not null,
      row_count bigint not null,
      byte_count bigint not null,
      primary key (series_id, day)
    )`,
    `alter table binary_data add column series_id bigint not null default 0`,
    `alter table binary_data add column is_tagged integer not null default 0`,
    ...MARKS.flatMap((table) => [
      `alter table ${table} add column series_id bigint not null default 0`,
      `alter table ${table} add column requested_at bigint not null default 0`,
      `alter table ${table} add column file_size bigint not null default 0`,
    ]),
  ];
}

/** Fills the new tables and columns from the existing items, and replaces the items' indexes. */
export async function fillBinarySeries(db: Kysely<FleetSchema>): Promise<void> {
  const columns = sql.join(BINARY_SERIES_COLUMNS.map((column) => sql.ref(column)));
  const { rows } = await sql<BinaryDataRow>`select distinct ${columns} from binary_data`.execute(
    db,
  );
  for (const row of rows) {
    const id = await ensureBinarySeriesId(db, toBinarySeries(row));
    const matchesRow = BINARY_SERIES_COLUMNS.map(
      (column) => sql`${sql.ref(column)} = ${row[column]}`,
    );
    await sql`update binary_data set series_id = ${id}
      where ${sql.join(matchesRow, sql` and `)}`.execute(db);
  }
  for (const statement of FILLING) {
    await sql.raw(statement).execute(db);
  }
}

const FILLING = [
  // Rounds down explicitly, because integer division rounds toward zero in both databases. This
  // matters for days before 1970.
  `insert into binary_days (series_id, day, row_count, byte_count)
    select series_id, (requested_at - ((requested_at % 86400000000) + 86400000000) % 86400000000)
      / 86400000000 as day, count(*), sum(file_size)
    from binary_data group by 1, 2`,
  `update binary_data set is_tagged = 1 where id in (select binary_id from binary_tags)`,
  ...MARKS.map((table) => {
    const ofItem = (column: string): string =>
      `${column} = (select ${column} from binary_data where binary_data.id = binary_id)`;
    return `update ${table} set
      ${ofItem('series_id')}, ${ofItem('requested_at')}, ${ofItem('file_size')}`;
  }),
  `drop index binary_data_by_organization`,
  `drop index binary_data_by_location`,
  `drop index binary_data_by_machine`,
  `drop index binary_data_by_part`,
  `drop index binary_tags_by_tag`,
  // Covering index for selections, counts, and sums of sizes.
  `create index binary_data_by_series
    on binary_data (series_id, requested_at, id, is_tagged, file_size)`,
  `create index binary_data_untagged on binary_data (series_id, requested_at, id)
    where is_tagged = 0`,
  `create index binary_data_by_organization
    on binary_data (organization_id, requested_at, id, series_id, is_tagged)`,
  `create index binary_tags_by_tag
    on binary_tags (tag, requested_at, binary_id, series_id, file_size)`,
  `create index binary_tags_by_series on binary_tags (series_id, tag, requested_at)`,
  `create index bounding_boxes_by_label
    on bounding_boxes (label, requested_at, binary_id, series_id, file_size)`,
  `create index bounding_boxes_by_series on bounding_boxes (series_id, label, requested_at)`,
];
