import { type ConnectionId, connectionId } from './ids';

export type ConnectionKind = 'cloud' | 'local';

/** Fleet service for which the user has a key. The key itself is only in secret storage. */
export interface Connection {
  /** Lowercase letters and digits: it is the authority of document URIs. */
  readonly id: ConnectionId;
  readonly label: string;
  /** URL such as `https://fleet.example.com`, without a trailing slash. */
  readonly baseUrl: string;
  /** ID of the API key, a UUID. */
  readonly keyId: string;
  /** `local`: the service that this extension starts; its base URL changes with every start. */
  readonly kind: ConnectionKind;
}

/**
 * Number of the 32 digits of a UUID: short enough to read in a path, long enough to avoid
 * collisions.
 */
const CONNECTION_ID_LENGTH = 12;

/**
 * Returns the ID of the connection for a key: documents that were open before a sign-out, or before
 * the service moved to another port, then belong to the same connection.
 */
export function toConnectionId(keyId: string): ConnectionId {
  return connectionId(keyId.toLowerCase().replaceAll('-', '').slice(0, CONNECTION_ID_LENGTH));
}
