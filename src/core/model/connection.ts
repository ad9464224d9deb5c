import type { ConnectionId } from './ids';

/** A fleet cloud this person has a key for. The key itself is only in the secret storage. */
export interface Connection {
  /** Lower-case letters, digits and dashes: it is the authority of document URIs. */
  readonly id: ConnectionId;
  readonly label: string;
  /** Such as `https://fleet.example.com`, without a slash at the end. */
  readonly baseUrl: string;
  /** The API key's id, a UUID. */
  readonly keyId: string;
  /** `local`: the service this extension starts; its base URL changes with every start. */
  readonly kind: 'cloud' | 'local';
}
