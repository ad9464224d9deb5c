import { deserialize } from 'bson';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DataShape, JobRunner, QueryJob, WrittenFile } from '../query/queryJob';
import {
  COLD_CATALOG,
  listSealed,
  type UnsealedRange,
  unsealedRange,
} from '../store/data/lakeManifest';
import {
  type LakeFileRow,
  type LakeKey,
  type ReadingRow,
  type ReadingSeriesRow,
  splitLines,
} from '../store/data/dataSchema';
import type { LakeLease } from '../store/data/lakeLeases';
import type { Store, StoreAccess } from '../store/store';
import { requireUnchanged } from '../store/data/coldReadings';
import { boundedShape, mergeShapes } from './dataShapes';
import type { LakeFiles } from './lakeFiles';
import { type LakeFolder, newFilePrefix } from './lakeFolder';
import { toUtcDay } from '../store/data/dayCounts';
import { getSeriesByIds, readingsInOrder } from '../store/data/readingsPages';

/** Dependencies of work on a lake's files. */
export interface LakeTools {
  store: Store;
  runner: JobRunner;
  /** Folder that jobs write to. */
  folder: LakeFolder;
  files: LakeFiles;
  /** Throws if there isn't enough space to write files. */
  requireRoom?: (() => Promise<void>) | undefined;
  /** Lease for the work, which a shared catalog requires. */
  lease: LakeLease | undefined;
  /** Aborts the work. */
  signal: AbortSignal;
}

/**
 * Seals all of an organization's readings that were acknowledged before the call and are still in
 * the records.
 * @returns false if it has stopped early, because another service has sealed some of them or the
 *   organization was deleted.
 */
export async function sealAll(tools: LakeTools, key: LakeKey): Promise<boolean> {
  const range = await unsealedRange(tools.store, key);
  for (let after = range?.after ?? 0; range !== undefined && after < range.through;) {
    const through = await sealSome(tools, key, { after, through: range.through });
    if (through === undefined) return false;
    after = through;
  }
  return true;
}

/**
 * Seals the first readings in a range and returns the ID of the last sealed reading; undefined if
 * the files couldn't be listed. Lists no files with cold readings if there are no readings or some
 * were deleted in the meantime.
 */
export async function sealSome(
  tools: LakeTools,
  key: LakeKey,
  range: UnsealedRange,
): Promise<number | undefined> {
  const { store, folder, requireRoom, lease, signal } = tools;
  await requireRoom?.();
  const directory = await folder.make(key.organizationId);
  const target = { directory, prefix: newFilePrefix() };
  try {
    const isCold = key.catalogId === COLD_CATALOG;
    const source = await writeSealSource(store, key.organizationId, range, target, signal);
    if (isCold && source.rowCount === 0) return undefined;
    let files: LakeFileRow[] = [];
    if (source.rowCount > 0) {
      const { readings, series } = source;
      const job = { kind: 'seal', ...target, readings, series, hasSizes: isCold } as const;
      const written = await runFileJob(tools, key, job);
      files = written.map((file) => ({
        ...fileRow(file, key, getBoundedShape(file)),
        through_id: isCold ? source.through : null,
      }));
    }
    const sealed = { after: range.after, through: source.through };
    const isListed = await tools.files.publish(
      key.organizationId,
      files,
      async (access, stored) => {
        if (isCold) await requireUnchanged(access, key.organizationId, sealed, source.rowCount);
        await listSealed(access, key, sealed, stored, lease);
      },
      signal,
    );
    return isListed ? source.through : undefined;
  } finally {
    await folder.remove(key.organizationId, sourceNames(target.prefix));
  }
}

/**
 * Runs a job that writes files, and returns information about the files. If the job fails or is
 * aborted, removes the files that it has written. They would otherwise remain until the next start.
 */
export async function runFileJob(
  { runner, folder, signal }: Pick<LakeTools, 'runner' | 'folder' | 'signal'>,
  { organizationId }: LakeKey,
  job: Extract<QueryJob, { prefix: string }>,
): Promise<WrittenFile[]> {
  const files: WrittenFile[] = [];
  try {
    for await (const document of runner.run(job, signal)) {
      files.push(deserialize(document) as WrittenFile);
    }
  } catch (error) {
    // The job's error is more useful than a folder error. The next start removes the remaining
    // files.
    await folder.removePrefixed(organizationId, job.prefix).catch(() => undefined);
    throw error;
  }
  return files;
}

/** Returns the list entry for a file that was just written. */
export function fileRow(
  { name, day, rowCount, byteCount, lastSyncedAt }: WrittenFile,
  { catalogId, organizationId }: LakeKey,
  shape: DataShape,
): LakeFileRow {
  return {
    name,
    place: catalogId,
    organization_id: organizationId,
    day,
    row_count: rowCount,
    byte_count: byteCount,
    last_synced_at: lastSyncedAt,
    shape: JSON.stringify(shape),
    blob_hash: null,
    through_id: null,
  };
}

function getBoundedShape({ shape = '"JSON"' }: WrittenFile): DataShape {
  return boundedShape(mergeShapes(undefined, JSON.parse(shape) as DataShape));
}

/** Maximum number of rows that one job seals. */
const MAX_ROWS = 200_000;
const MAX_BYTES = 128 * 1024 * 1024;

const OWNER_ONLY_FILE = 0o600;

/** A job's input, and the range of readings that it covers. */
export interface SealSource {
  readings: string;
  series: string;
  /** ID of the last reading in the range. */
  through: number;
  rowCount: number;
}

/** Returns the names of a source's files. */
function sourceNames(prefix: string): [readings: string, series: string] {
  return [`${prefix}.readings`, `${prefix}.series`];
}

/**
 * Writes the next readings in a range to files for a job to seal.
 * @param signal aborts the write.
 */
async function writeSealSource(
  access: StoreAccess,
  organizationId: string,
  range: UnsealedRange,
  { directory, prefix }: { directory: string; prefix: string },
  signal: AbortSignal,
): Promise<SealSource> {
  const names = sourceNames(prefix);
  const readings = join(directory, names[0]);
  const series = join(directory, names[1]);
  const ids = new Set<number>();
  const done = { through: range.through, rowCount: 0, bytes: 0 };
  let last = range.after;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const rows of readingsInOrder(access, organizationId, range)) {
      yield rows.map(toReadingLine).join('');
      for (const { series_id, size } of rows) {
        ids.add(series_id);
        done.bytes += size;
      }
      done.rowCount += rows.length;
      last = rows.at(-1)?.id ?? last;
      if (done.rowCount >= MAX_ROWS || done.bytes >= MAX_BYTES) {
        done.through = last;
        return;
      }
    }
  };
  const options = { mode: OWNER_ONLY_FILE };
  await pipeline(Readable.from(lines()), createWriteStream(readings, options), { signal });
  const found = await getSeriesByIds(access, [...ids]);
  const seriesLines = Readable.from([...found.values()].map(toSeriesLine));
  await pipeline(seriesLines, createWriteStream(series, options), { signal });
  return { readings, series, through: done.through, rowCount: done.rowCount };
}

/** Start of a half, which is always escaped in stored JSON, unlike a pair. */
const ESCAPED_HALF = String.raw`\ud`;
const ESCAPES = /\\(?:u[\da-f]{4}|.)/g;
const REPLACEMENT = '\ufffd';

// Formats a reading as one line. The payload is already single-line JSON.
function toReadingLine(row: ReadingRow): string {
  return (
    `{"id":${String(row.id)},"series_id":${String(row.series_id)},` +
    `"day":${String(toUtcDay(row.requested_at))},"synced_at":${String(row.synced_at)},` +
    `"requested_at":${String(row.requested_at)},"received_at":${String(row.received_at)},` +
    `"size":${String(row.size)},"data":${toSealedPayload(row.payload)}}\n`
  );
}

/**
 * Returns a payload as it is in files: replaces halves of surrogate pairs, which earlier versions
 * stored, like UTF-8 encoders do. DuckDB rejects them, so queries of all readings would fail.
 */
export function toSealedPayload(payload: string): string {
  if (!payload.includes(ESCAPED_HALF)) return payload;
  return payload.replaceAll(ESCAPES, (escape) =>
    escape.startsWith(ESCAPED_HALF) ? REPLACEMENT : escape,
  );
}

function toSeriesLine(row: ReadingSeriesRow): string {
  const { organization_id, location_id, robot_id, part_id } = row;
  const { component_type, component_name, method_name } = row;
  const json = JSON.stringify({
    series_id: row.id,
    organization_id,
    location_id,
    robot_id,
    part_id,
    component_type,
    component_name,
    method_name,
  });
  const tags = `[${splitLines(row.tags).join(',')}]`;
  const parameters = `{${splitLines(row.parameters).join(',')}}`;
  return `${json.slice(0, -1)},"tags":${tags},"additional_parameters":${parameters}}\n`;
}
