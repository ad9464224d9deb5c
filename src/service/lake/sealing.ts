import { deserialize } from 'bson';
import type { JobRunner } from '../query/jobRunner';
import type { QueryJob, WrittenFile } from '../query/queryJob';
import type { DataShape } from '../query/readingsFiles';
import {
  type LakeKey,
  listSealed,
  type UnsealedRange,
  unsealedRange,
} from '../store/data/lakeManifest';
import type { LakeFileRow } from '../store/data/lakeSchema';
import type { Store } from '../store/store';
import { boundedShape, mergeShapes } from './dataShape';
import { type LakeFolder, newFilePrefix } from './lakeFolder';
import { sourceNames, writeSealSource } from './sealSource';

/** Dependencies of work on a lake's files. */
export interface LakeTools {
  store: Store;
  runner: JobRunner;
  folder: LakeFolder;
  /** Throws if there isn't enough space to write files. */
  requireRoom?: (() => Promise<void>) | undefined;
  /** Aborts the work. */
  signal: AbortSignal;
}

/** Seals all readings of an organization that were acknowledged before the call. */
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
 * Seals the first readings of a range and returns the ID of the last sealed reading; undefined if
 * the files couldn't be listed.
 */
async function sealSome(
  { store, runner, folder, requireRoom, signal }: LakeTools,
  key: LakeKey,
  range: UnsealedRange,
): Promise<number | undefined> {
  await requireRoom?.();
  const directory = await folder.make(key.organizationId);
  const target = { directory, prefix: newFilePrefix() };
  const unwanted: string[] = sourceNames(target.prefix);
  try {
    const source = await writeSealSource(store, key.organizationId, range, target, signal);
    let files: LakeFileRow[] = [];
    if (source.rowCount > 0) {
      const { readings, series } = source;
      const written = await runFileJob({ runner, folder, signal }, key, {
        ...{ kind: 'seal', ...target, readings, series },
      });
      files = written.map((file) => fileRow(file, key, getBoundedShape(file)));
    }
    // If the response was lost, the store might list the files. In that case, the files are kept,
    // and the next start determines whether they are needed.
    if (await listSealed(store, key, { ...range, through: source.through }, files)) {
      return source.through;
    }
    unwanted.push(...files.map(({ name }) => name));
    return undefined;
  } finally {
    await folder.remove(key.organizationId, unwanted);
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
    // The error of the job is more useful than an error of the folder. The next start removes the
    // remaining files.
    await folder.removePrefixed(organizationId, job.prefix).catch(() => undefined);
    throw error;
  }
  return files;
}

/** Returns the list entry for a file that was just written. */
export function fileRow(
  { name, day, rowCount, byteCount, lastSyncedAt }: WrittenFile,
  { folderId: place, organizationId }: LakeKey,
  shape: DataShape,
): LakeFileRow {
  return {
    name,
    place,
    organization_id: organizationId,
    day,
    row_count: rowCount,
    byte_count: byteCount,
    last_synced_at: lastSyncedAt,
    shape: JSON.stringify(shape),
  };
}

function getBoundedShape({ shape = '"JSON"' }: WrittenFile): DataShape {
  return boundedShape(mergeShapes(undefined, JSON.parse(shape) as DataShape));
}
