import type { Logger } from '../../base/logger';
import type { Store } from '../store/store';
import type { LogFeed, WriteLines } from './logFeed';
import { SharedLogFeed } from './sharedLogFeed';
import type { NewLogLine } from '../store/logs/logLines';
import { SharedCommits } from '../store/sharedCommits';
import { LogHub, type LogTail, type WantsLine } from './logHub';

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

/** Log feed of a service that has exclusive use of its store. */
class OwnLogFeed implements LogFeed {
  readonly #hub = new LogHub();
  readonly #commits: SharedCommits;

  constructor(store: Store) {
    this.#commits = new SharedCommits(store);
  }

  async append(partId: string, write: WriteLines): Promise<NewLogLine[]> {
    const lines = await this.#commits.run(write);
    this.#hub.publish(partId, lines);
    return lines;
  }

  open(partId: string, wanted: WantsLine): Promise<LogTail> {
    return Promise.resolve(this.#hub.open(partId, wanted));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
