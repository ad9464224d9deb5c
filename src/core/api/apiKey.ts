/** API key pair, the only credential of a connection. */
export interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

/** Reads the key when it is needed. Throws `unauthenticated` when it is no longer stored. */
export type ReadApiKey = () => Promise<ApiKey>;
