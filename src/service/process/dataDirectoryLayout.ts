/** The embedded store. */
export const DATABASE_FILE = 'fleet.db';
/** Contents of captured data and packages. */
export const CONTENTS_FOLDER = 'blobs';
/** Readings in Parquet files, a copy of what the store has. */
export const LAKE_FOLDER = 'lake';
/** Results that clients of the database endpoint have yet to fetch. */
export const CURSORS_FOLDER = 'cursors';
/** Folders of training jobs that run. */
export const TRAINING_FOLDER = 'training';
/** Messages to people, when no mail server takes them. */
export const OUTBOX_FOLDER = 'outbox';
/** The key that encrypts secrets in the store. */
export const SECRETS_KEY_FILE = 'secrets.key';
/** The owner's key and the URL of the last start. */
export const CREDENTIALS_FILE = 'credentials.json';
/** Locked by the process that works on the directory; its presence means nothing. */
export const LOCK_FILE = 'service.lock';
/** Process ID and URL of the running service. */
export const SERVICE_FILE = 'service.json';
/** Present since damage of the embedded store was found; a check that finds none removes it. */
export const DAMAGED_DATABASE_FILE = 'database.damaged';
/** Is in the directory from the first to the last moment of a restore. */
export const UNFINISHED_RESTORE_FILE = 'restore.unfinished';
