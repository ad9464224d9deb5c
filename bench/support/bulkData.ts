import { sql } from 'kysely';
import { RegistryItemStatus, Visibility } from '../../src/gen/viam/app/v1/registry_pb';
import { PackageType } from '../../src/gen/viam/app/packages/v1/packages_pb';
import { ensureBinarySeriesId, toBinarySeries } from '../../src/service/store/data/binaryPages';
import { announceBlob } from '../../src/service/store/data/blobReferences';
import type { Capturer } from '../../src/service/store/data/dataScope';
import { ensureSeriesId } from '../../src/service/store/data/readingsFilter';
import { openSqliteStore } from '../../src/service/store/openStore';
import type { Store } from '../../src/service/store/store';

const START_MICROS = Date.UTC(2026, 0, 1) * 1000;
const STEP_MICROS = 1_000_000;

/** Component that captured the readings of `fillReadings`. */
export const SENSOR = {
  component_type: 'rdk:component:sensor',
  component_kind: 'sensor',
  component_name: 'climate',
  method_name: 'Readings',
};

/** Returns a table expression for the numbers from 0 to `count` - 1. */
const numbers = (count: number) => sql`(with recursive numbers (n) as
  (select 0 union all select n + 1 from numbers where n < ${count - 1}) select n from numbers) numbers`;

/**
 * Inserts readings into a store that no service has open, because uploading that many readings
 * would take minutes.
 */
export async function fillReadings(
  databaseFile: string,
  part: Capturer,
  count: number,
): Promise<void> {
  await withStore(databaseFile, async (store) => {
    const series = { ...part, ...SENSOR, method_parameters: null, parameters: '', tags: '' };
    const id = await ensureSeriesId(store, 'reading_series', series);
    const time = sql`${START_MICROS} + n * ${STEP_MICROS}`;
    const payload = sql`printf('{"readings":{"temperature":%.1f,"humidity":%d,"state":"%s"}}',
      20 + (n % 100) / 10.0, 40 + n % 7, case n % 50 when 0 then 'heating' else 'idle' end)`;
    await sql`insert into readings
        (series_id, organization_id, requested_at, received_at, synced_at, size, payload)
      select ${id}, ${part.organization_id}, ${time}, ${time}, ${START_MICROS}, length(payload), payload
      from (select n, ${payload} as payload from ${numbers(count)})`.execute(store);
    await sql`insert into reading_days (series_id, day, row_count, byte_count, last_synced_at)
      select series_id, requested_at / 86400000000, count(*), sum(size), max(synced_at)
      from readings where series_id = ${id} group by 1, 2`.execute(store);
  });
}

/** Content that the service has stored, or hypothetical content. */
export interface StoredContent {
  /** SHA-256 hash in hexadecimal. */
  hash: string;
  size: number;
}

/**
 * Inserts images into a store that no service has open. The images cycle through the given
 * contents.
 */
export async function fillBinaryData(
  databaseFile: string,
  part: Capturer,
  count: number,
  contents: readonly StoredContent[] = [{ hash: 'f'.repeat(64), size: 10 }],
): Promise<void> {
  await withStore(databaseFile, async (store) => {
    const camera = {
      component_type: 'rdk:component:camera',
      component_kind: 'camera',
      component_name: 'cam',
      method_name: 'ReadImage',
      mime_type: 'image/png',
      is_internal: 0,
    } as const;
    const id = await ensureBinarySeriesId(store, toBinarySeries({ ...part, ...camera }));
    for (const content of contents) await announceBlob(store, content);
    const columns = Object.keys({ ...part, ...camera });
    const values = Object.values({ ...part, ...camera });
    const time = sql`${START_MICROS} + n * ${STEP_MICROS}`;
    const turns = contents.map(({ hash, size }, turn) => sql`(${turn}, ${hash}, ${size})`);
    // IDs are random like the service's IDs, so that their order differs from the chronological
    // order.
    await sql`with contents (turn, hash, size) as (values ${sql.join(turns)})
      insert into binary_data (id, series_id, is_tagged, ${sql.join(columns.map((it) => sql.ref(it)))},
        file_name, file_ext, file_size, blob_hash, requested_at, received_at, synced_at)
      select lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
          || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
        ${id}, 0, ${sql.join(values)}, '', '.png', size, hash, ${time}, ${time}, ${START_MICROS}
      from ${numbers(count)} join contents on turn = n % ${contents.length}`.execute(store);
    await sql`insert into binary_days (series_id, day, row_count, byte_count)
      select series_id, requested_at / 86400000000, count(*), sum(file_size)
      from binary_data where series_id = ${id} group by 1, 2`.execute(store);
  });
}

/** Inserts machines with one part each into a location of a store that no service has open. */
export async function fillMachines(
  databaseFile: string,
  locationId: string,
  count: number,
): Promise<void> {
  await withStore(databaseFile, async (store) => {
    const all = numbers(count);
    await sql`insert into machines (id, location_id, name, created_at, metadata)
      select 'machine-' || n, ${locationId}, 'machine-' || n, ${START_MICROS} + n, '{}'
      from ${all}`.execute(store);
    await sql`insert into parts
        (id, machine_id, name, is_main, config_json, created_at, last_updated, metadata)
      select 'part-' || n, 'machine-' || n, 'machine-' || n || '-main', 1, '{}',
        ${START_MICROS}, ${START_MICROS}, '{}'
      from ${all}`.execute(store);
  });
}

/** Inserts modules with three versions each into a store that no service has open. */
export async function fillModules(
  databaseFile: string,
  organizationId: string,
  count: number,
): Promise<void> {
  await withStore(databaseFile, async (store) => {
    await sql`insert into registry_items
        (id, organization_id, name, type, visibility, status, url, description, metadata,
          created_at, updated_at)
      select 'module-' || n, ${organizationId}, 'module-' || n, ${PackageType.MODULE},
        ${Visibility.PRIVATE}, ${RegistryItemStatus.PUBLISHED}, '', 'Drives the wheels', '{}',
        ${START_MICROS}, ${START_MICROS}
      from ${numbers(count)}`.execute(store);
    await sql`insert into package_versions (item_id, version, metadata, created_at)
      select 'module-' || n, version, '{}', ${START_MICROS}
      from ${numbers(count)}
        join (select '1.0.0' as version union all select '1.1.0' union all select '1.2.0') versions
      order by n, version`.execute(store);
  });
}

async function withStore(file: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openSqliteStore(file);
  try {
    await work(store);
  } finally {
    await store.destroy();
  }
}
