import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { dataLoss } from '../errors';
import { DamagedBlobError } from './blobChecks';
import { referencedBlobs } from '../store/data/blobReferences';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

const MAX_LOGGED_IDS = 10_000;

/** Error for content that has a record but no file. */
export const MISSING_BLOB = new DamagedBlobError('its file is missing');

/** User-visible owner of content. */
export interface ContentOwner {
  /** Kind of owner, such as `binary data`. */
  readonly kind: string;
  readonly id: string;
  /** SHA-256 hash of the content, which is also the name of its file. */
  readonly hash: string;
}

/** Logs damaged content. Each content is logged only once. */
export class DamageReports {
  private readonly logged = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Logs damaged content, and returns the error for its reader. */
  report({ kind, id, hash }: ContentOwner, { problem }: DamagedBlobError): ConnectError {
    const entry = `${kind} ${id} ${problem}`;
    if (!this.logged.has(entry)) {
      if (this.logged.size >= MAX_LOGGED_IDS) this.logged.clear();
      this.logged.add(entry);
      this.logger.error('a file is damaged', { kind, id, problem, file: hash });
    }
    return dataLoss(
      `the content of ${kind} "${id}" is damaged in the storage of the fleet service: ${problem}; ` +
        'restore it from a backup, upload the same file again, or delete it',
    );
  }
}

/**
 * Maximum number of contents to check, which is enough to detect a loss without delaying the start.
 * A bucket needs a request for each content.
 */
const MAX_CHECKED = { files: 5_000, objects: 100 };
const PAGE = 500;
const MAX_NAMED = 5;

/**
 * Logs a warning if recorded contents are missing or have a different size. Checks only the sizes,
 * without reading the files. If there are many contents, checks only some of them, beginning with a
 * different hash at each start, and even fewer if they are in a bucket. If a bucket doesn't respond, logs that instead.
 */
export async function warnAboutMissingContents(
  store: Store,
  blobs: BlobStore,
  kind: keyof typeof MAX_CHECKED,
  logger: Logger,
): Promise<void> {
  try {
    await checkSizes(store, blobs, MAX_CHECKED[kind], logger);
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== Code.Unavailable) throw error;
    logger.warn('stored contents were not checked: check them with service verify', {
      error: error.rawMessage,
    });
  }
}

async function checkSizes(
  store: Store,
  blobs: BlobStore,
  maxChecked: number,
  logger: Logger,
): Promise<void> {
  const unavailable: string[] = [];
  let checked = 0;
  for (let after = await firstHash(store, maxChecked); checked < maxChecked;) {
    const page = await referencedBlobs(store, after, Math.min(PAGE, maxChecked - checked));
    const sizes = await Promise.all(page.map(({ hash }) => blobs.size(hash)));
    unavailable.push(
      ...page.filter(({ size }, index) => sizes[index] !== size).map(({ hash }) => hash),
    );
    checked += page.length;
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.hash;
  }
  if (unavailable.length > 0) {
    logger.warn(
      'files are missing or damaged: restore the data directory from a backup, or delete the items',
      { missing: unavailable.length, checked, sha256: unavailable.slice(0, MAX_NAMED).join(' ') },
    );
  }
}

/** Returns the hash after which the check begins; empty if all contents can be checked. */
async function firstHash(store: Store, maxChecked: number): Promise<string> {
  const { count } = await store
    .selectFrom('blobs')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const share = maxChecked / Math.max(Number(count), maxChecked);
  const start = Math.random() * (1 - share);
  return share === 1 ? '' : start.toString(16).slice('0.'.length);
}
