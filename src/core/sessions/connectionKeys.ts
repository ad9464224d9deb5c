import type { ConnectionId } from '../model/ids';
import { connectionId } from '../model/ids';
import type { Secrets } from '../ports';
import { type ConnectionRecord, formatRecord, parseRecord } from './connectionRecord';

const PREFIX = 'connection.';

/**
 * API keys of the connections, in secret storage, with one record per connection. While a key is
 * being rotated, readers wait for the new key, because the old one becomes invalid before the new
 * one is stored.
 */
export class ConnectionKeys {
  private readonly changing = new Map<ConnectionId, Promise<unknown>>();
  /** Keys that this window most recently read or wrote, which reveal changes by other windows. */
  private readonly known = new Map<ConnectionId, string>();

  constructor(private readonly secrets: Secrets) {}

  /** Returns the storage key for a connection, which is the same in secret and plain storage. */
  static toEntryName(id: ConnectionId): string {
    return `${PREFIX}${id}`;
  }

  /** Returns the connection that a storage key belongs to; undefined for other storage keys. */
  static parseEntryName(name: string): ConnectionId | undefined {
    return name.startsWith(PREFIX) ? connectionId(name.slice(PREFIX.length)) : undefined;
  }

  /** Returns the stored record, after any change in progress has finished. */
  async read(id: ConnectionId): Promise<ConnectionRecord | undefined> {
    await this.changing.get(id);
    return this.readNow(id);
  }

  async readNow(id: ConnectionId): Promise<ConnectionRecord | undefined> {
    const record = parseRecord(await this.secrets.get(ConnectionKeys.toEntryName(id)));
    if (record) this.known.set(id, record.key);
    return record;
  }

  /**
   * Like `readNow`, but also returns whether the API key differs from the one that this window has
   * used.
   */
  async readChange(
    id: ConnectionId,
  ): Promise<{ readonly record: ConnectionRecord | undefined; readonly isOther: boolean }> {
    const before = this.known.get(id);
    const record = await this.readNow(id);
    return { record, isOther: before !== undefined && record?.key !== before };
  }

  async store(record: ConnectionRecord): Promise<void> {
    const { id } = record.connection;
    this.known.set(id, record.key);
    await this.secrets.store(ConnectionKeys.toEntryName(id), formatRecord(record));
  }

  async delete(id: ConnectionId): Promise<void> {
    this.known.delete(id);
    await this.secrets.delete(ConnectionKeys.toEntryName(id));
  }

  /**
   * Runs `work`, which changes the API key of a connection. Readers of the key wait until `work`
   * has finished.
   */
  async change<T>(id: ConnectionId, work: () => Promise<T>): Promise<T> {
    const before = this.changing.get(id);
    const running = (async () => {
      await before;
      return work();
    })();
    const settled = running.catch(() => undefined);
    this.changing.set(id, settled);
    try {
      return await running;
    } finally {
      if (this.changing.get(id) === settled) this.changing.delete(id);
    }
  }
}
