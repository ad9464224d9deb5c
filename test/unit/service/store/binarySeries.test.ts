import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countBinaryData } from '../../../../src/service/store/data/binaryData';
import type { BinaryFilter } from '../../../../src/service/store/data/binaryFilter';
import { listMarks } from '../../../../src/service/store/data/binaryMarks';
import { readBinaryDataPage } from '../../../../src/service/store/data/binaryPages';
import { fleetTables } from '../../../../src/service/store/migrations/0001-fleet';
import { fragmentUseTables } from '../../../../src/service/store/migrations/0002-fragmentUse';
import { inviteTables } from '../../../../src/service/store/migrations/0003-invites';
import { registryTables } from '../../../../src/service/store/migrations/0004-registry';
import { binaryDataTables } from '../../../../src/service/store/migrations/0005-binaryData';
import { SQLITE_SCHEMA } from '../../../../src/service/store/migrations/schemaDialect';
import { openSqliteStore } from '../../../../src/service/store/openStore';

const DAY = 86_400_000_000;

/** The migrations that predate the grouping of items, under the names that the migrator records. */
const EARLIER = {
  '0001-fleet': fleetTables,
  '0002-fragmentUse': fragmentUseTables,
  '0003-invites': inviteTables,
  '0004-registry': registryTables,
  '0005-binaryData': binaryDataTables,
};

/** Values of an item's columns for the machine `arm`, except for ID, camera, and timestamp. */
const REST = `'acme', 'hall', 'arm', 'arm', 'main', 'main', 'camera', 'camera', 'ReadImage', null,
  'image/png', '', '.png', 10, 'hash', 1, 1, 0, null`;
const COLUMNS = `organization_id, location_id, robot_id, robot_name, part_id, part_name,
  component_type, component_kind, method_name, method_parameters,
  mime_type, file_name, file_ext, file_size, blob_hash, received_at, synced_at, is_internal,
  classifications`;

describe('binary data from before series were introduced', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleetwright-'));
    file = join(directory, 'fleet.db');
    using database = new DatabaseSync(file);
    database.exec(`
      create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
      create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
      insert into kysely_migration_lock values ('migration_lock', 0);`);
    for (const [name, tables] of Object.entries(EARLIER)) {
      tables(SQLITE_SCHEMA).forEach((statement) => {
        database.exec(statement);
      });
      database.exec(`insert into kysely_migration values ('${name}', '2026-01-01T00:00:00.000Z')`);
    }
    database.exec(`
      insert into organizations (id, name, created_at, default_region, metadata)
        values ('acme', 'Acme', 1, '', '{}');
      insert into blobs values ('hash', 10);
      insert into binary_data (id, component_name, requested_at, ${COLUMNS}) values
        ('a', 'left', -1, ${REST}),
        ('b', 'left', 0, ${REST}),
        ('c', 'right', ${DAY - 1}, ${REST}),
        ('d', 'right', ${2 * DAY}, ${REST});
      insert into binary_tags values ('b', 'red');
      insert into bounding_boxes values ('box', 'd', 'cup', 0, 0, 1, 1, null);`);
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is found, counted by day, and filtered', async () => {
    const store = await openSqliteStore(file);
    try {
      const selection = (filter: Partial<BinaryFilter> = {}) => ({
        scopes: [{ organizationIds: ['acme'], locationIds: [], machines: [] }],
        filter: { columns: [], boxLabels: [], ...filter },
        includeInternal: false,
      });
      const found = async (filter?: Partial<BinaryFilter>): Promise<string[]> => {
        const page = { oldestFirst: true, after: undefined, limit: 50 };
        const rows = await readBinaryDataPage(store, selection(filter), page);
        const { count, bytes } = await countBinaryData(store, selection(filter));
        assert.deepEqual([count, bytes], [rows.length, 10 * rows.length]);
        return rows.map(({ id }) => id);
      };
      assert.deepEqual(await found(), ['a', 'b', 'c', 'd']);
      assert.deepEqual(await found({ end: 0 }), ['a']);
      assert.deepEqual(await found({ start: 0, end: DAY }), ['b', 'c']);
      assert.deepEqual(await found({ tags: { anyOf: ['red'] } }), ['b']);
      assert.deepEqual(await found({ tags: 'untagged' }), ['a', 'c', 'd']);
      assert.deepEqual(await found({ boxLabels: ['cup'] }), ['d']);
      const days = await store.selectFrom('binary_days').selectAll().orderBy('day').execute();
      assert.deepEqual(
        days.map(({ day, row_count, byte_count }) => [day, row_count, byte_count]),
        [
          [-1, 1, 10],
          [0, 1, 10],
          [0, 1, 10],
          [2, 1, 10],
        ],
      );
      const tags = { table: 'binary_tags', column: 'tag' } as const;
      assert.deepEqual(await listMarks(store, selection(), tags), ['red']);
    } finally {
      await store.destroy();
    }
  });
});
