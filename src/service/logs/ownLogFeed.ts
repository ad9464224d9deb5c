import type { NewLogLine } from '../store/logs/logLines';
import { SharedCommits } from '../store/sharedCommits';
import type { Store } from '../store/store';
import type { LogFeed, WriteLines } from './logFeed';
import { LogHub, type LogTail, type WantsLine } from './logHub';

/** Log feed of a service that has exclusive use of its store. */
export class OwnLogFeed implements LogFeed {
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
