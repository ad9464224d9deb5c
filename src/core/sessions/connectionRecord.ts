import { isKeyId } from '../model/credentials';
import { type Connection, toConnectionId } from '../model/connection';

/**
 * Record of a connection in secret storage. Contains all data of the connection, so that other
 * windows can apply changes.
 */
export interface ConnectionRecord {
  readonly connection: Connection;
  readonly key: string;
}

/** Parses a stored connection, which an earlier version or another program might have stored. */
export function parseConnection(value: unknown): Connection | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { label, baseUrl, keyId, kind } = value as Readonly<Record<string, unknown>>;
  if (typeof label !== 'string' || typeof baseUrl !== 'string' || typeof keyId !== 'string') {
    return undefined;
  }
  if (!isKeyId(keyId) || !URL.canParse(baseUrl)) return undefined;
  const known = kind === 'local' ? 'local' : 'cloud';
  return { id: toConnectionId(keyId), label, baseUrl, keyId, kind: known };
}

export function formatConnection({ label, baseUrl, keyId, kind }: Connection): object {
  return { label, baseUrl, keyId, kind };
}

export function parseRecord(text: string | undefined): ConnectionRecord | undefined {
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

export function formatRecord({ connection, key }: ConnectionRecord): string {
  return JSON.stringify({ ...formatConnection(connection), key });
}
