import { type ConnectionId, connectionId } from './ids';

export type ConnectionKind = 'cloud' | 'local';

/** A fleet cloud this person has a key for. The key itself is only in the secret storage. */
export interface Connection {
  /** Lower-case letters and digits: it is the authority of document URIs. */
  readonly id: ConnectionId;
  readonly label: string;
  /** Such as `https://fleet.example.com`, without a slash at the end. */
  readonly baseUrl: string;
  /** The API key's id, a UUID. */
  readonly keyId: string;
  /** `local`: the service this extension starts; its base URL changes with every start. */
  readonly kind: ConnectionKind;
}

/** Of the 32 digits of a UUID: short enough to read in a path, long enough never to meet twice. */
const CONNECTION_ID_LENGTH = 12;

/**
 * The id of the connection made with a key: documents that were open before a sign-out, or before
 * the service moved to another port, belong to the same connection afterwards.
 */
export function connectionIdOf(keyId: string): ConnectionId {
  return connectionId(keyId.toLowerCase().replaceAll('-', '').slice(0, CONNECTION_ID_LENGTH));
}
