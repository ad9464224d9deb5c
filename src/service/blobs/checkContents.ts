import type { Logger } from '../../base/logger';
import { referencedBlobs } from '../store/data/blobReferences';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

/**
 * Maximum number of contents to check, which is enough to detect a loss without delaying the start.
 */
const MAX_CHECKED = 5_000;
const PAGE = 500;
const MAX_NAMED = 5;

/**
 * Logs a warning if recorded contents are missing or have a different size. Checks only the sizes,
 * without reading the files. If there are many contents, checks only some of them, beginning with a
 * different hash at each start.
 */
export async function warnOfMissingContents(
  store: Store,
  blobs: BlobStore,
  logger: Logger,
): Promise<void> {
  const unavailable: string[] = [];
  let checked = 0;
  for (let after = await firstHash(store); checked < MAX_CHECKED;) {
    const page = await referencedBlobs(store, after, PAGE);
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
async function firstHash(store: Store): Promise<string> {
  const { count } = await store
    .selectFrom('blobs')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const share = MAX_CHECKED / Math.max(Number(count), MAX_CHECKED);
  const start = Math.random() * (1 - share);
  return share === 1 ? '' : start.toString(16).slice('0.'.length);
}
