import { type ConnectionId, connectionId } from '../model/ids';
import type { Secrets } from '../ports';
import { type Connection, isKeyId, toConnectionId } from '../model/connection';

const PREFIX = 'connection.';

/**
 * API keys for the connections, in secret storage, with one record per connection. While a key is
 * being rotated, readers wait for the new key, because the old one becomes invalid before the new
 * one is stored.
 */
export class ConnectionKeys {
  private readonly changing = new Map<ConnectionId, Promise<unknown>>();
  /** Keys that this window most recently read or wrote. Used to detect changes by other windows. */
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
   * Like `readNow`, but also returns whether the API key differs from the key that this window has
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
   * Runs `work`, which changes a connection's API key. Readers of the key wait until `work` has
   * finished.
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

/**
 * Record for a connection in secret storage. Contains all of the connection's data, so that other
 * windows can apply changes.
 */
export interface ConnectionRecord {
  readonly connection: Connection;
  readonly key: string;
}

/** Parses a stored connection, which an earlier version or another program might have stored. */
export function parseConnection(value: unknown): Connection | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { label, baseUrl, keyId, kind, readOnly } = value as Readonly<Record<string, unknown>>;
  if (typeof label !== 'string' || typeof baseUrl !== 'string' || typeof keyId !== 'string') {
    return undefined;
  }
  if (!isKeyId(keyId) || !URL.canParse(baseUrl)) return undefined;
  const known = kind === 'local' ? 'local' : 'cloud';
  const id = toConnectionId(keyId);
  // A value of another version must not allow changes.
  const isReadOnly = readOnly !== undefined && readOnly !== false;
  return { id, label, baseUrl, keyId, kind: known, ...(isReadOnly && { readOnly: 'chosen' }) };
}

/** Returns the stored form of a connection, without the restrictions of settings. */
export function formatConnection({ label, baseUrl, keyId, kind, readOnly }: Connection): object {
  return { label, baseUrl, keyId, kind, ...(readOnly === 'chosen' && { readOnly: true }) };
}

function parseRecord(text: string | undefined): ConnectionRecord | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const connection = parseConnection(value);
  const { key } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return connection && typeof key === 'string' && key !== '' ? { connection, key } : undefined;
}

function formatRecord({ connection, key }: ConnectionRecord): string {
  return JSON.stringify({ ...formatConnection(connection), key });
}
