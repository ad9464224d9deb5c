const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true if a text is a UUID. All key IDs are UUIDs, and public clients also require one. */
export function isKeyId(text: string): boolean {
  return UUID.test(text);
}

/** Credentials for signing in: a URL and an API key pair. */
export interface Credentials {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly key: string;
}

/**
 * Parses the credentials file of the fleet service, `{"url","apiKeyId","apiKey",…}`. Returns
 * undefined for any other text.
 */
export function parseCredentialsFile(text: string): Credentials | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { url, apiKeyId, apiKey } = value as Readonly<Record<string, unknown>>;
  if (typeof url !== 'string' || typeof apiKeyId !== 'string' || typeof apiKey !== 'string') {
    return undefined;
  }
  return url !== '' && isKeyId(apiKeyId) && apiKey !== ''
    ? { baseUrl: url, keyId: apiKeyId, key: apiKey }
    : undefined;
}
