import type { Logger } from '../../base/logger';
import type { LongWork } from '../../base/longWork';
import { recordBucket, recordObjects } from '../objects/recordObjects';
import type { Store } from '../store/store';
import type { DelayedCollection } from './blobCollector';
import { type FileBlobStore, openFileBlobStore } from './fileBlobStore';
import {
  type ObjectBlobsOptions,
  type ObjectBlobStore,
  openObjectBlobStore,
} from './objectBlobStore';

/** Bucket for contents, and its cache. The store of contents closes the bucket. */
export type ObjectsOptions = Pick<ObjectBlobsOptions, 'bucket' | 'cacheDirectory' | 'cacheBytes'>;

export interface BlobsOptions {
  /**
   * Directory for the contents of captured data and packages. If absent, a temporary directory is
   * used.
   */
  blobsDir?: string | undefined;
  /**
   * Bucket that stores these contents instead, with a directory for local copies; 'files' if they
   * are no longer in a bucket. If absent, they must never have been in one.
   */
  objects?: ObjectsOptions | 'files' | undefined;
}

/** Store of contents, and how its unreferenced contents are deleted. */
interface OpenBlobs {
  readonly blobs: FileBlobStore | ObjectBlobStore;
  /** Delay of deletions, because other services can use the bucket; undefined for none. */
  readonly delay: DelayedCollection | undefined;
}

/**
 * Time in milliseconds for which contents in a bucket must have been unreferenced before they are
 * deleted.
 */
const OBJECT_GRACE_MS = 3_600_000;

/**
 * Opens the store of contents. Closes the fleet's store if this fails.
 * @throws ObjectsError if the contents are in a bucket that isn't specified or can't be used.
 */
export async function openBlobs(
  store: Store,
  { objects, blobsDir, logger }: BlobsOptions & { readonly logger: Logger },
  longWork: LongWork,
): Promise<OpenBlobs> {
  try {
    if (objects === undefined || objects === 'files') {
      await recordObjects(store, objects && '');
      return { blobs: await openFileBlobStore(blobsDir, longWork), delay: undefined };
    }
    await recordBucket(store, objects.bucket, logger);
    const blobs = await openObjectBlobStore({ ...objects, longWork });
    return { blobs, delay: { graceMs: OBJECT_GRACE_MS, now: Date.now, logger } };
  } catch (error) {
    await store.destroy();
    throw error;
  }
}
