import type { ConnectionId } from '../model/ids';
import { connectionId } from '../model/ids';
import type { Secrets } from '../ports';
import { type ConnectionRecord, formatRecord, parseRecord } from './connectionRecord';

const PREFIX = 'connection.';

/**
 * The keys of the connections in the secret storage, one record each. Who reads a key that is being
 * rotated waits for the new one: the old one is dead before the new one is stored.
 */
export class ConnectionKeys {
  private readonly changing = new Map<ConnectionId, Promise<unknown>>();
  /** What was last read or written here, to tell what another window has written since. */
  private readonly known = new Map<ConnectionId, string>();

  constructor(private readonly secrets: Secrets) {}

  /** The name of a connection, in the secret storage as in the plain one. */
  static nameOf(id: ConnectionId): string {
    return `${PREFIX}${id}`;
  }

  /** The connection that a name is of; undefined for the name of something else. */
  static idOf(name: string): ConnectionId | undefined {
    return name.startsWith(PREFIX) ? connectionId(name.slice(PREFIX.length)) : undefined;
  }

  /** The stored record, after a change that is under way. */
  async read(id: ConnectionId): Promise<ConnectionRecord | undefined> {
    await this.changing.get(id);
    return this.readNow(id);
  }

  async readNow(id: ConnectionId): Promise<ConnectionRecord | undefined> {
    const record = parseRecord(await this.secrets.get(ConnectionKeys.nameOf(id)));
    if (record) this.known.set(id, record.key);
    return record;
  }

  /** Like `readNow`, and whether the key is another one than this window has worked with. */
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
    await this.secrets.store(ConnectionKeys.nameOf(id), formatRecord(record));
  }

  async delete(id: ConnectionId): Promise<void> {
    this.known.delete(id);
    await this.secrets.delete(ConnectionKeys.nameOf(id));
  }

  /** Lets anyone who reads the key of a connection wait for the end of `work`, which changes it. */
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
