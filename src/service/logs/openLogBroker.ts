import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/logger';
import type { NewLogLine } from '../store/logs/logLines';
import { announceLines, notifyChannel, TAIL_LOCK } from '../store/logs/logPositions';
import type { Store } from '../store/store';
import { DatabaseNotices } from './databaseNotices';
import {
  type LogBroker,
  LogHub,
  type LogTail,
  type LinePredicate,
  type WriteLines,
} from './logHub';
import { TailedPart } from './tailedPart';
import { GroupCommit } from '../store/groupCommit';

const CHANNEL = 'fleetwright_log_lines';
const PROBE_MS = 5000;

interface SharedBrokerOptions {
  store: Store;
  databaseUrl: string;
  logger: Logger;
}

/**
 * Log broker for services that share a PostgreSQL database. Tails contain the lines that any of these
 * services receives. When a service stores lines from a tailed part, it sends a notification in the
 * same transaction. The other services then read the lines once for all their tails. A service's
 * own lines are already in memory.
 */
class SharedLogBroker implements LogBroker {
  private readonly sender = randomUUID();
  /**
   * Lines that this service has stored and for which the notification is still in transit, by the
   * ID of the last line.
   */
  private readonly atHand = new Map<number, readonly NewLogLine[]>();
  private readonly parts = new Map<string, TailedPart>();
  private readonly hub = new LogHub((partId) => {
    this.clear(partId);
  });
  private readonly probed = Promise.withResolvers<undefined>();
  private notices: DatabaseNotices | undefined;

  private constructor(private readonly options: SharedBrokerOptions) {}

  /** @throws if the database can't be reached. */
  static async open(options: SharedBrokerOptions): Promise<SharedLogBroker> {
    const broker = new SharedLogBroker(options);
    const { databaseUrl, logger } = options;
    broker.notices = await DatabaseNotices.open({
      databaseUrl,
      logger,
      channel: CHANNEL,
      onNotification: (text) => {
        broker.receive(text);
      },
      lost: () => {
        broker.atHand.clear();
      },
      resumed: () => {
        broker.resume();
      },
    });
    return broker;
  }

  /**
   * Resolves to true if notifications are received. Some poolers and databases don't forward them.
   */
  async supportsNotify(): Promise<boolean> {
    try {
      await this.notices?.run(TAIL_LOCK.take, [this.sender]);
      await this.notices?.run(TAIL_LOCK.release, [this.sender]);
      await notifyChannel(this.options.store, CHANNEL, this.sender);
    } catch {
      return false;
    }
    const tooLate = sleep(PROBE_MS, false, { ref: false });
    return Promise.race([this.probed.promise.then(() => true), tooLate]);
  }

  async append(partId: string, _lineCount: number, write: WriteLines): Promise<NewLogLine[]> {
    let last: number | undefined;
    try {
      return await this.options.store.transaction().execute(async (access) => {
        const lines = await write(access);
        if (lines.length > 0) last = await announceLines(access, CHANNEL, this.sender, partId);
        if (last !== undefined && this.parts.has(partId) && this.notices?.isListening === true) {
          this.atHand.set(last, lines);
        }
        return lines;
      });
    } catch (error) {
      if (last !== undefined) this.atHand.delete(last);
      throw error;
    }
  }

  async open(partId: string, filter: LinePredicate): Promise<LogTail> {
    const tail = this.hub.open(partId, filter);
    try {
      await this.begun(partId);
      return tail;
    } catch (error) {
      tail[Symbol.dispose]();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const part of this.parts.values()) {
      part.end();
    }
    await this.notices?.close();
  }

  private begun(partId: string): Promise<void> {
    const known = this.parts.get(partId);
    if (known !== undefined) return known.begun;
    const { store, logger } = this.options;
    const part = new TailedPart({ store, logger, hub: this.hub }, partId, () =>
      this.onConnection(TAIL_LOCK.take, partId),
    );
    this.parts.set(partId, part);
    return part.begun;
  }

  /**
   * Runs a statement on the notification connection. Does nothing without a connection, because all
   * statements are repeated once a connection is established.
   */
  private async onConnection(statement: string, partId: string): Promise<void> {
    if (this.notices?.isListening === true) {
      await this.notices.run(statement, [partId]).catch(() => undefined);
    }
  }

  private clear(partId: string): void {
    this.parts.get(partId)?.end();
    this.parts.delete(partId);
    void this.onConnection(TAIL_LOCK.release, partId);
  }

  private receive(text: string): void {
    if (text === this.sender) this.probed.resolve(undefined);
    if (!text.startsWith('[')) return;
    const [sender, partId, last] = JSON.parse(text) as [string, string, number];
    const lines = sender === this.sender ? this.atHand.get(last) : undefined;
    if (sender === this.sender) this.atHand.delete(last);
    this.parts.get(partId)?.takeIn({ last, lines });
  }

  private resume(): void {
    for (const part of this.parts.values()) {
      part.catchUp();
    }
  }
}

/**
 * Opens the type of broker that matches the store. If the database doesn't support notifications,
 * tails contain only the lines that this service has received.
 * @param databaseUrl URL of PostgreSQL; undefined for the embedded store.
 * @throws if the database can't be reached.
 */
export async function openLogBroker(options: {
  store: Store;
  databaseUrl: string | undefined;
  logger: Logger;
}): Promise<LogBroker> {
  const { store, databaseUrl, logger } = options;
  if (databaseUrl === undefined) return new EmbeddedLogBroker(store);
  const shared = await SharedLogBroker.open({ store, databaseUrl, logger });
  if (await shared.supportsNotify()) return shared;
  await shared.close();
  logger.warn(
    "the database doesn't forward notifications: live logs only show lines that machines send to this service",
  );
  return new EmbeddedLogBroker(store);
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
