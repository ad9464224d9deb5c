import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { findSetting, putSetting } from '../store/settings';
import type { Store } from '../store/store';
import type { ObjectBucket } from './objectBucket';

/** Error for a service that is started without a usable bucket for its contents. */
export class ObjectsError extends Error {
  override readonly name = 'ObjectsError';
}

/** Returns the URL of the bucket that a fleet's contents are in; undefined for files. */
export async function findObjectsUrl(store: Store): Promise<string | undefined> {
  return (await findSetting(store, 'objects_url')) || undefined;
}

/**
 * Records where a fleet's contents are, so that no service stores them elsewhere by mistake and
 * other commands can find them.
 * @param url the bucket's URL; an empty string for files; undefined if it isn't specified.
 * @throws ObjectsError if it isn't specified, but contents are in a bucket.
 */
export async function recordObjects(store: Store, url: string | undefined): Promise<void> {
  const recorded = await findObjectsUrl(store);
  if (url === undefined && recorded !== undefined) {
    throw new ObjectsError(
      `the contents of this fleet are in the bucket ${recorded}: start the service with --objects "${recorded}", or, ` +
        'after copying them to the data directory, once with --objects files',
    );
  }
  if (url !== undefined && url !== (recorded ?? '')) await putSetting(store, 'objects_url', url);
}

/**
 * Checks a bucket and records that a fleet's contents are in it. If the bucket was used before and
 * doesn't respond, only logs this, so that the service can start during an outage.
 * @throws ObjectsError if the bucket can't be used.
 */
export async function recordBucket(
  store: Store,
  bucket: ObjectBucket,
  logger: Logger,
): Promise<void> {
  try {
    await bucket.check();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const isOutage = error.code === Code.Unavailable;
    if (!isOutage || (await findObjectsUrl(store)) !== bucket.url) {
      throw new ObjectsError(error.rawMessage, { cause: error });
    }
    logger.error('the bucket with the contents is unavailable', { error: error.rawMessage });
  }
  await recordObjects(store, bucket.url);
}
