/** Embedded store. */
export const DATABASE_FILE = 'fleet.db';
/** Contents of captured data and packages. */
export const CONTENTS_FOLDER = 'blobs';
/** Local copies of contents that are stored in a bucket. */
export const OBJECTS_CACHE_FOLDER = 'objects-cache';
/** Readings in Parquet files, copied from the store. */
export const LAKE_FOLDER = 'lake';
/** Results that clients of the database endpoint haven't fetched yet. */
export const CURSORS_FOLDER = 'cursors';
/** Folders of running training jobs. */
export const TRAINING_FOLDER = 'training';
/** Messages to users if there is no mail server. */
export const OUTBOX_FOLDER = 'outbox';
/** Key that encrypts secrets in the store. */
export const SECRETS_KEY_FILE = 'secrets.key';
/** Owner's key and URL from the last start of the service. */
export const CREDENTIALS_FILE = 'credentials.json';
/**
 * Locked by the process that uses the directory. The existence of the file alone has no meaning.
 */
export const LOCK_FILE = 'service.lock';
/** Process ID and URL of the running service. */
export const SERVICE_FILE = 'service.json';
/** Exists from the time damage to the embedded store is detected until a check finds no damage. */
export const DAMAGED_DATABASE_FILE = 'database.damaged';
/** Exists in the directory for the duration of a restore. */
export const UNFINISHED_RESTORE_FILE = 'restore.unfinished';
/** Reserves disk space for deletions and startup. Deleted when the disk is almost full. */
export const RESERVE_FILE = 'disk.reserve';
