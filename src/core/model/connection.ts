import { type ConnectionId, connectionId } from './ids';

export type ConnectionKind = 'cloud' | 'local';

/**
 * Fleet service for which the user has an API key. The key itself is stored only in secret storage.
 */
export interface Connection {
  /** ID of lowercase letters and digits, because it is the authority of document URIs. */
  readonly id: ConnectionId;
  readonly label: string;
  /** URL such as `https://fleet.example.com`, without a trailing slash. */
  readonly baseUrl: string;
  /** ID of the API key, a UUID. */
  readonly keyId: string;
  /**
   * Kind of connection; `local` is the service that this extension starts, whose base URL changes
   * with every start.
   */
  readonly kind: ConnectionKind;
}

/**
 * Number of digits of the key's UUID to use, out of 32. Few enough to be readable in a path, and
 * enough to avoid collisions.
 */
const CONNECTION_ID_LENGTH = 12;

/**
 * Returns the ID of the connection for a key. Because the ID depends only on the key, documents
 * that were open before a sign-out, or before the service moved to a different port, still belong
 * to the connection.
 */
export function toConnectionId(keyId: string): ConnectionId {
  return connectionId(keyId.toLowerCase().replaceAll('-', '').slice(0, CONNECTION_ID_LENGTH));
}
