import { type ConnectionId, connectionId } from './ids';

export type ConnectionKind = 'cloud' | 'local';

/** Reason that a connection is read-only: the user's choice, or a setting that requires it. */
export type ReadOnlyReason = 'chosen' | 'required';

/**
 * Fleet service for which the user has an API key. The key itself is stored only in secret storage.
 */
export interface Connection {
  /**
   * ID that consists of lowercase letters and digits, because it is used as the authority of
   * document URIs.
   */
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
  /**
   * Present if the connection is read-only. Calls that could change something are then rejected
   * before they are sent.
   */
  readonly readOnly?: ReadOnlyReason | undefined;
}

/**
 * Returns true if a pattern matches a connection's label or URL, or the host in the URL, with or
 * without its port. Patterns ignore case, and `*` stands for any characters.
 */
export function matchesAnyPattern(
  patterns: readonly unknown[],
  { label, baseUrl }: Pick<Connection, 'label' | 'baseUrl'>,
): boolean {
  const { host, hostname } = new URL(baseUrl);
  const names = [label, baseUrl, host, hostname];
  return patterns.some((pattern) => {
    if (typeof pattern !== 'string') return false;
    const text = pattern.trim().replace(/\/$/, '');
    // Many stars in a row, which a workspace can contain, would take hours to match.
    const source = text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*');
    const whole = new RegExp(`^${source}$`, 'is');
    return text !== '' && names.some((name) => whole.test(name));
  });
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

/** Maximum number of characters that VS Code accepts in a badge. */
const MAX_CHARACTERS = 2;
const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * Returns a badge of one or two characters for each connection to distinguish them. The badge
 * contains the initials of the connection's label, or a number if another connection has the same
 * initials. A single connection has no badge.
 */
export function connectionBadges(
  connections: readonly Pick<Connection, 'id' | 'label'>[],
): ReadonlyMap<ConnectionId, string> {
  if (connections.length < 2) return new Map();
  const initials = connections.map(({ label }) => getInitials(label));
  const badges = connections.map(({ id }, index) => {
    const own = initials[index] ?? '';
    const isOwn = own !== '' && initials.indexOf(own) === initials.lastIndexOf(own);
    return [id, isOwn ? own : String(index + 1)] as const;
  });
  return new Map(badges);
}

function getInitials(label: string): string {
  const words = (label.match(WORDS) ?? []).map((word) => Array.from(word.toUpperCase()));
  const [first = [], second] = words;
  const characters = second ? [first[0], second[0]] : first;
  return characters.slice(0, MAX_CHARACTERS).join('');
}

/** Reason that a string isn't a valid service URL. */
export type BaseUrlProblem = 'empty' | 'malformed' | 'scheme' | 'credentials' | 'path';

export type ParsedBaseUrl =
  | { readonly ok: true; readonly baseUrl: string; readonly keyTravelsInClear: boolean }
  | { readonly ok: false; readonly problem: BaseUrlProblem };

/**
 * Addresses that never leave this computer (all of 127/8 according to RFC 1122), as formatted by
 * `URL`.
 */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Parses a URL that the user entered. If it has no scheme, assumes TLS. */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, problem: 'empty' };
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch {
    return { ok: false, problem: 'malformed' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { ok: false, problem: 'scheme' };
  }
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'credentials' };
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return { ok: false, problem: 'path' };
  }
  const keyTravelsInClear = url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  return { ok: true, baseUrl: url.origin, keyTravelsInClear };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns true if a string is a UUID. All key IDs are UUIDs, and public clients also require a
 * UUID.
 */
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
 * Parses the fleet service's credentials file, `{"url","apiKeyId","apiKey",…}`. Returns undefined
 * for any other text.
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

/** API key pair, the only credential of a connection. */
export interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

/** Reads the key when it is needed. Throws `unauthenticated` when it is no longer stored. */
export type ReadApiKey = () => Promise<ApiKey>;
