import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { getErrorCode } from '../../base/errorCode';
import { forEachBounded } from '../../base/bounded';
import { blobPath, listBlobFiles, type StoredBlob } from '../blobs/fileBlobStore';
import { parseObjectKey, withObject } from '../blobs/objectBlobStore';
import { type ObjectBucket, type ObjectsLocation, parseObjectsUrl } from '../objects/objectBucket';
import { findObjectsUrl } from '../objects/recordObjects';
import { DATABASE_FILE, CONTENTS_FOLDER } from '../files/dataDirectoryLayout';
import { findReferrer, recordedBlobs, referencedBlobs } from '../store/data/blobReferences';
import { openSqliteStore } from '../store/openStore';
import type { Store } from '../store/store';
import { type BackupOptions, copyDatabase } from './backUpFleet';

const PAGE = 500;
const WORKERS = 8;
const HASH = 'sha256';
const CHUNK_BYTES = 1024 * 1024;

export interface VerifyOptions extends Pick<
  BackupOptions,
  'dataDirectory' | 'databaseUrl' | 'logger'
> {
  /** True to compare only sizes, without reading the contents. */
  comparesOnlySizes: boolean;
  /** Bucket with the contents. If absent, the one that is recorded with the fleet is used. */
  objects: ObjectsLocation | undefined;
  /** Opens a bucket, which `verifyContents` doesn't close. */
  openBucket: (location: ObjectsLocation) => Promise<ObjectBucket>;
}

/** Difference between the records and the stored contents. */
export interface ContentProblem {
  readonly kind: 'missing' | 'damaged' | 'orphaned';
  readonly hash: string;
  /** Explanation: the item that is affected, or the size of an orphaned content. */
  readonly detail: string;
}

export interface VerifiedContents {
  /** Number of contents that records refer to. */
  readonly referenced: number;
  readonly problems: readonly ContentProblem[];
  /** URL of the bucket that was checked; undefined for files. */
  readonly objectsUrl: string | undefined;
}

/** Stored contents, which are only read. */
interface StoredContents {
  list(): AsyncIterable<StoredBlob>;
  size(hash: string): Promise<number | undefined>;
  open(hash: string): Promise<Readable | undefined>;
}

/**
 * Compares the records of a fleet with its stored contents, even while the service is running. Reads
 * a copy of the database and changes nothing. Problems are found in two copies, because contents
 * are stored and deleted between them.
 * @throws CommandError if there is no fleet; Unavailable if its bucket can't be read.
 */
export async function verifyContents(options: VerifyOptions): Promise<VerifiedContents> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetwright-verify-'));
  try {
    return await verifyWithCopies(options, join(folder, DATABASE_FILE));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function verifyWithCopies(options: VerifyOptions, copy: string): Promise<VerifiedContents> {
  const { problems, ...first } = await withCopy(options, copy, async (store) => {
    const recorded = parseObjectsUrl((await findObjectsUrl(store)) ?? '');
    const location = options.objects ?? (typeof recorded === 'object' ? recorded : undefined);
    const objectsUrl = location?.url;
    const contents =
      location === undefined
        ? getFileContents(join(options.dataDirectory, CONTENTS_FOLDER))
        : getBucketContents(await options.openBucket(location));
    const found: ContentProblem[] = [];
    const referenced = await findUnreadable(store, contents, options.comparesOnlySizes, found);
    await findOrphans(store, contents, found);
    return { objectsUrl, contents, referenced, problems: found };
  });
  const { contents, ...result } = first;
  if (problems.length === 0) return { ...result, problems };
  const confirmed = await withCopy(options, copy, async (store) => {
    const remaining: ContentProblem[] = [];
    for (const problem of problems) {
      if (await isConfirmed(store, contents, problem)) remaining.push(problem);
    }
    return remaining;
  });
  return { ...result, problems: confirmed };
}

async function withCopy<T>(
  options: VerifyOptions,
  path: string,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  await copyDatabase(path, options);
  const store = await openSqliteStore(path);
  try {
    return await read(store);
  } finally {
    await store.destroy();
  }
}

/** @returns the number of referenced contents. */
async function findUnreadable(
  store: Store,
  contents: StoredContents,
  comparesOnlySizes: boolean,
  found: ContentProblem[],
): Promise<number> {
  let referenced = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: readonly { hash: string; size: number }[] = await referencedBlobs(
      store,
      after,
      PAGE,
    );
    await forEachBounded(page, WORKERS, async ({ hash, size }) => {
      const stored = await contents.size(hash);
      const damage =
        stored === undefined
          ? undefined
          : stored === size
            ? !comparesOnlySizes && (await hashContent(contents, hash)) !== hash
              ? 'its bytes were changed'
              : ''
            : `it has ${String(stored)} bytes instead of ${String(size)}`;
      if (damage === '') return;
      const referrer = (await findReferrer(store, hash)) ?? 'an item';
      found.push(
        damage === undefined
          ? { kind: 'missing', hash, detail: `of ${referrer}` }
          : { kind: 'damaged', hash, detail: `of ${referrer}: ${damage}` },
      );
    });
    referenced += page.length;
    after = page.at(-1)?.hash;
  }
  return referenced;
}

async function findOrphans(
  store: Store,
  contents: StoredContents,
  found: ContentProblem[],
): Promise<void> {
  let page: StoredBlob[] = [];
  const check = async (): Promise<void> => {
    const recorded = await recordedBlobs(
      store,
      page.map(({ hash }) => hash),
    );
    for (const { hash, size } of page) {
      if (!recorded.has(hash)) {
        found.push({ kind: 'orphaned', hash, detail: `${String(size)} bytes without a record` });
      }
    }
    page = [];
  };
  for await (const blob of contents.list()) {
    page.push(blob);
    if (page.length === PAGE) await check();
  }
  await check();
}

/** Returns true if a problem still exists according to a later copy of the database. */
async function isConfirmed(
  store: Store,
  contents: StoredContents,
  { kind, hash }: ContentProblem,
): Promise<boolean> {
  const size = await contents.size(hash);
  switch (kind) {
    case 'orphaned':
      return size !== undefined && !(await recordedBlobs(store, [hash])).has(hash);
    case 'missing':
      return size === undefined && (await findReferrer(store, hash)) !== undefined;
    case 'damaged':
      return (await findReferrer(store, hash)) !== undefined;
  }
}

async function hashContent(contents: StoredContents, hash: string): Promise<string> {
  const digest = createHash(HASH);
  for await (const chunk of (await contents.open(hash)) ?? []) digest.update(chunk as Uint8Array);
  return digest.digest('hex');
}

function getFileContents(directory: string): StoredContents {
  const getPath = (hash: string): string => join(directory, blobPath(hash));
  const getSize = async (hash: string): Promise<number | undefined> => {
    try {
      return (await stat(getPath(hash))).size;
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    list: () => listBlobFiles(directory),
    size: getSize,
    open: async (hash) =>
      (await getSize(hash)) === undefined
        ? undefined
        : createReadStream(getPath(hash), { highWaterMark: CHUNK_BYTES }),
  };
}

function getBucketContents(bucket: ObjectBucket): StoredContents {
  return {
    async *list() {
      for await (const { key, ...object } of bucket.list()) {
        const blob = parseObjectKey(key);
        if (blob !== undefined) yield { hash: blob.hash, ...object };
      }
    },
    size: (hash) => withObject(bucket, hash, (key) => bucket.size(key)),
    open: async (hash) => (await withObject(bucket, hash, (key) => bucket.get(key)))?.body,
  };
}
