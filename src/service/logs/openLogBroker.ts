import { randomUUID } from 'node:crypto';
import type { Logger } from '../../base/logger';
import type { NewLogLine } from '../store/logs/logLines';
import { findAdvancedParts, findStoredRange } from '../store/logs/logPositions';
import type { Store } from '../store/store';
import { DatabaseNotices } from './databaseNotices';
import {
  type LogBroker,
  LogHub,
  type LogTail,
  type LinePredicate,
  type WriteLines,
} from './logHub';
import type { NodeNotices, NoticeReceiver } from './nodeNotices';
import { type StoredBatch, TailedPart } from './tailedPart';
import { GroupCommit } from '../store/groupCommit';

/**
 * Interval at which the store is polled for new lines of tailed parts, in case notices are lost. Even
 * then, lines should appear within a second.
 */
const POLL_MS = 500;
/** Maximum number of parts in a notice, which PostgreSQL limits to 8,000 bytes. */
const MAX_PARTS = 100;
/** Stands for all parts in a notice. */
const ALL_PARTS = '*';

interface SharedBrokerOptions {
  store: Store;
  logger: Logger;
  openNotices: OpenNotices;
}

/** Opens the connection for notices, in the background. */
export type OpenNotices = (receiver: NoticeReceiver) => NodeNotices;

/**
 * Log broker for services that share a PostgreSQL database. Tails contain the lines that any of these
 * services stores. Each tailed part has a position in the store: polling it guarantees that every
 * line is delivered exactly once and in order. Notices between the services only make the other
 * services read earlier. A service's own lines are usually delivered from memory.
 */
class SharedLogBroker implements LogBroker {
  private readonly sender = randomUUID();
  private readonly parts = new Map<string, TailedPart>();
  private readonly hub = new LogHub((partId) => {
    this.clear(partId);
  });
  private readonly notices: NodeNotices;
  /** Parts with new lines that the other services don't know of. */
  private readonly unannounced = new Set<string>();
  private announcing: Promise<void> | undefined;
  private polling: Promise<void> | undefined;
  private hasFailed = false;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: SharedBrokerOptions) {
    this.notices = options.openNotices({
      receive: (notice) => {
        this.receive(notice);
      },
      resume: () => {
        this.poll();
      },
    });
    this.timer = setInterval(() => {
      this.poll();
    }, POLL_MS).unref();
  }

  async append(partId: string, _lineCount: number, write: WriteLines): Promise<NewLogLine[]> {
    const { lines, batch } = await this.options.store.transaction().execute(async (access) => {
      const written = await write(access);
      const isDelivered = written.length > 0 && this.parts.has(partId);
      const range = isDelivered ? await findStoredRange(access, partId, written.length) : undefined;
      return { lines: written, batch: range && { ...range, lines: written } };
    });
    if (lines.length > 0) this.publish(partId, batch);
    return lines;
  }

  async open(partId: string, filter: LinePredicate): Promise<LogTail> {
    const tail = this.hub.open(partId, filter);
    try {
      await this.follow(partId);
      return tail;
    } catch (error) {
      tail[Symbol.dispose]();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const part of this.parts.values()) {
      part.end();
    }
    await Promise.all([this.announcing, this.polling]);
    await this.notices.close();
  }

  /** Starts to deliver a part's lines. Resolves when its position is known. */
  private follow(partId: string): Promise<void> {
    const known = this.parts.get(partId);
    if (known !== undefined) return known.ready;
    const { store, logger } = this.options;
    const part = new TailedPart({ store, logger, hub: this.hub }, partId);
    this.parts.set(partId, part);
    return part.ready;
  }

  private clear(partId: string): void {
    this.parts.get(partId)?.end();
    this.parts.delete(partId);
  }

  /** Passes stored lines to this service's tails, and notifies the other services. */
  private publish(partId: string, batch: StoredBatch | undefined): void {
    const part = this.parts.get(partId);
    if (batch === undefined) part?.catchUp();
    else part?.deliver(batch);
    this.unannounced.add(partId);
    this.announcing ??= this.announce().finally(() => {
      this.announcing = undefined;
    });
  }

  /**
   * Sends one notice at a time, with all parts that have changed since the last one, because
   * PostgreSQL commits transactions with notifications one at a time.
   */
  private async announce(): Promise<void> {
    while (this.unannounced.size > 0) {
      const ids = this.unannounced.size > MAX_PARTS ? [ALL_PARTS] : [...this.unannounced];
      this.unannounced.clear();
      await this.notices.send(JSON.stringify([this.sender, ...ids]));
    }
  }

  private receive(notice: string): void {
    const ids = parseNotice(notice);
    if (ids === undefined) {
      this.poll();
      return;
    }
    const [sender] = ids;
    if (sender === this.sender) return;
    if (ids.includes(ALL_PARTS)) this.poll();
    for (const id of ids) this.parts.get(id)?.catchUp();
  }

  private poll(): void {
    if (this.parts.size === 0) return;
    this.polling ??= this.readAdvancedParts().finally(() => {
      this.polling = undefined;
    });
  }

  private async readAdvancedParts(): Promise<void> {
    const { store, logger } = this.options;
    const positions = [...this.parts].map(([partId, { position }]) => ({ partId, position }));
    try {
      for (const id of await findAdvancedParts(store, positions)) this.parts.get(id)?.catchUp();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) {
        logger.warn('new log lines for live logs could not be found', { error: String(error) });
      }
      this.hasFailed = true;
    }
  }
}

/** Returns undefined if another version of the service or another program wrote the notice. */
function parseNotice(text: string): string[] | undefined {
  try {
    const ids: unknown = JSON.parse(text);
    if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return ids;
  } catch {
    // The text isn't JSON.
  }
  return undefined;
}

/** Opens the type of broker that matches the store, which must be PostgreSQL if it is shared. */
export function openLogBroker({
  store,
  logger,
  databaseUrl,
  openNotices,
}: {
  store: Store;
  logger: Logger;
  /** URL of PostgreSQL; undefined for the embedded store. */
  databaseUrl: string | undefined;
  /** Opens the connection for notices; if absent, the database forwards them. */
  openNotices?: OpenNotices | undefined;
}): LogBroker {
  if (databaseUrl === undefined) return new EmbeddedLogBroker(store);
  return new SharedLogBroker({
    store,
    logger,
    openNotices:
      openNotices ?? ((receiver) => new DatabaseNotices({ databaseUrl, logger }, receiver)),
  });
}

/** Log broker for a service that has exclusive use of its store. */
class EmbeddedLogBroker implements LogBroker {
  private readonly hub = new LogHub();
  private readonly commits: GroupCommit;

  constructor(store: Store) {
    this.commits = new GroupCommit(store);
  }

  async append(partId: string, lineCount: number, write: WriteLines): Promise<NewLogLine[]> {
    const lines = await this.commits.run(lineCount, write);
    this.hub.publish(partId, lines);
    return lines;
  }

  open(partId: string, filter: LinePredicate): Promise<LogTail> {
    return Promise.resolve(this.hub.open(partId, filter));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
