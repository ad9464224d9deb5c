import type { ConnectionId } from '../model/ids';
import { connectionId } from '../model/ids';
import type { Secrets } from '../ports';
import { type ConnectionRecord, formatRecord, parseRecord } from './connectionRecord';

const PREFIX = 'connection.';

/**
 * Keys of the connections in secret storage, one record each. While a key is being rotated, readers
 * wait for the new one: the old one becomes invalid before the new one is stored.
 */
export class ConnectionKeys {
  private readonly changing = new Map<ConnectionId, Promise<unknown>>();
  /** Last records that this window read or wrote, to detect changes by other windows. */
  private readonly known = new Map<ConnectionId, string>();

  constructor(private readonly secrets: Secrets) {}

  /** Returns the storage key of a connection, the same in secret and plain storage. */
  static toEntryName(id: ConnectionId): string {
    return `${PREFIX}${id}`;
  }

  /** Returns the connection of a storage key; undefined for other keys. */
  static parseEntryName(name: string): ConnectionId | undefined {
    return name.startsWith(PREFIX) ? connectionId(name.slice(PREFIX.length)) : undefined;
  }

  /** Returns the stored record, after any change in progress. */
  async read(id: ConnectionId): Promise<ConnectionRecord | undefined> {
    await this.changing.get(id);
    return this.readNow(id);
  }

  async readNow(id: ConnectionId): Promise<ConnectionRecord | undefined> {
    const record = parseRecord(await this.secrets.get(ConnectionKeys.toEntryName(id)));
    if (record) this.known.set(id, record.key);
    return record;
  }

  /** Like `readNow`, and also returns if the key differs from the one that this window has used. */
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
   * Runs `work`, which changes the key of a connection, and makes readers of the key wait for its
   * end.
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
