import type { Logger } from '../../base/logger';
import type { Store } from '../store/store';
import type { LogFeed } from './logFeed';
import { OwnLogFeed } from './ownLogFeed';
import { SharedLogFeed } from './sharedLogFeed';

/**
 * Opens the type of feed that matches the store. If the database doesn't support notifications,
 * tails contain only the lines that this service has received.
 * @param databaseUrl URL of PostgreSQL; undefined for the embedded store.
 * @throws if the database can't be reached.
 */
export async function openLogFeed(options: {
  store: Store;
  databaseUrl: string | undefined;
  logger: Logger;
}): Promise<LogFeed> {
  const { store, databaseUrl, logger } = options;
  if (databaseUrl === undefined) {
    return new OwnLogFeed(store);
  }
  const shared = await SharedLogFeed.open({ store, databaseUrl, logger });
  if (await shared.supportsNotify()) {
    return shared;
  }
  await shared.close();
  logger.warn(
    "the database doesn't forward notifications: live logs only show lines that machines send to this service",
  );
  return new OwnLogFeed(store);
}
