import { deserialize } from 'bson';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DataShape, JobRunner, QueryJob, WrittenFile } from '../query/queryJob';
import { listSealed, type UnsealedRange, unsealedRange } from '../store/data/lakeManifest';
import {
  type LakeFileRow,
  type LakeKey,
  type ReadingRow,
  type ReadingSeriesRow,
  splitLines,
} from '../store/data/dataSchema';
import type { LakeLease } from '../store/data/lakeLeases';
import type { Store, StoreAccess } from '../store/store';
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
 * Seals all of an organization's readings that were acknowledged before the call. Stops early if
 * another service has sealed some of them, or if the organization was deleted.
 */
export async function sealAll(tools: LakeTools, key: LakeKey): Promise<void> {
  let range = await unsealedRange(tools.store, key);
  while (range !== undefined) {
    const through = await sealSome(tools, key, range);
    range =
      through === undefined || through >= range.through
        ? undefined
        : { after: through, through: range.through };
  }
}

/**
 * Seals the first readings in a range and returns the ID of the last sealed reading; undefined if
 * the files couldn't be listed.
 */
async function sealSome(
  tools: LakeTools,
  key: LakeKey,
  range: UnsealedRange,
): Promise<number | undefined> {
  const { store, folder, requireRoom, lease, signal } = tools;
  await requireRoom?.();
  const directory = await folder.make(key.organizationId);
  const target = { directory, prefix: newFilePrefix() };
  try {
    const source = await writeSealSource(store, key.organizationId, range, target, signal);
    let files: LakeFileRow[] = [];
    if (source.rowCount > 0) {
      const { readings, series } = source;
      const written = await runFileJob(tools, key, { kind: 'seal', ...target, readings, series });
      files = written.map((file) => fileRow(file, key, getBoundedShape(file)));
    }
    const sealed = { after: range.after, through: source.through };
    const isListed = await tools.files.publish(
      key.organizationId,
      files,
      (access, stored) => listSealed(access, key, sealed, stored, lease),
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
  const lines = async function* (): AsyncGenerator<string> {
    for await (const rows of readingsInOrder(access, organizationId, range)) {
      yield rows.map(toReadingLine).join('');
      for (const { series_id, size } of rows) {
        ids.add(series_id);
        done.bytes += size;
      }
      done.rowCount += rows.length;
      if (done.rowCount >= MAX_ROWS || done.bytes >= MAX_BYTES) {
        done.through = rows.at(-1)?.id ?? done.through;
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

// Formats a reading as one line. The payload is already single-line JSON.
function toReadingLine(row: ReadingRow): string {
  return (
    `{"id":${String(row.id)},"series_id":${String(row.series_id)},` +
    `"day":${String(toUtcDay(row.requested_at))},"synced_at":${String(row.synced_at)},` +
    `"requested_at":${String(row.requested_at)},"received_at":${String(row.received_at)},` +
    `"data":${row.payload}}\n`
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

/** Type for values whose types vary. */
const MIXED = 'JSON';
const UNKNOWN = 'NULL';
const NUMBER = 'DOUBLE';
const NUMBERS = /^(U?BIGINT|HUGEINT|DOUBLE)$/;

/**
 * Maximum number of members to describe. In a larger object, the keys are data, so the members
 * aren't described individually.
 */
const MAX_MEMBERS = 10_000;
/**
 * Smaller limits on the number of members. They are tried one after another if the whole shape is
 * too large.
 */
const FEWER_MEMBERS = [1000, 100, 10];

/** Maximum length of a shape in characters. Larger shapes aren't worth reading with every query. */
const MAX_CHARS = 1024 * 1024;

/** Returns a shape. If it is too large, omits the members in its largest objects. */
export function boundedShape(shape: DataShape): DataShape {
  const isSmall = (candidate: DataShape): boolean => JSON.stringify(candidate).length <= MAX_CHARS;
  if (isSmall(shape)) return shape;
  const smaller = FEWER_MEMBERS.map((maxMembers) => simplified(shape, maxMembers));
  return smaller.find(isSmall) ?? MIXED;
}

/**
 * Merges two shapes into one that describes the values of both. All numbers have one type, as in
 * the wire protocol.
 */
export function mergeShapes(a: DataShape | undefined, b: DataShape): DataShape {
  if (a === undefined || a === UNKNOWN) return simplified(b);
  if (b === UNKNOWN) return simplified(a);
  if (typeof a === 'string' || typeof b === 'string') return mergeScalars(a, b);
  if (isArray(a) || isArray(b)) return isArray(a) && isArray(b) ? [mergeShapes(a[0], b[0])] : MIXED;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (names.size > MAX_MEMBERS) return MIXED;
  return Object.fromEntries(
    [...names].map((name) => [name, mergeShapes(own(a, name) ?? UNKNOWN, own(b, name) ?? UNKNOWN)]),
  );
}

function mergeScalars(a: DataShape, b: DataShape): DataShape {
  if (typeof a !== 'string' || typeof b !== 'string') return MIXED;
  if (NUMBERS.test(a) && NUMBERS.test(b)) return NUMBER;
  return a === b ? a : MIXED;
}

function simplified(shape: DataShape, maxMembers = MAX_MEMBERS): DataShape {
  if (typeof shape === 'string') return NUMBERS.test(shape) ? NUMBER : shape;
  if (isArray(shape)) return [simplified(shape[0], maxMembers)];
  const members = Object.entries(shape);
  return members.length > maxMembers
    ? MIXED
    : Object.fromEntries(members.map(([name, member]) => [name, simplified(member, maxMembers)]));
}

function own(shape: Readonly<Record<string, DataShape>>, name: string): DataShape | undefined {
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

function isArray(shape: DataShape): shape is readonly [DataShape] {
  return Array.isArray(shape);
}
