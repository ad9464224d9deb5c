import { createHash } from 'node:crypto';
import * as http from 'node:http';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import * as tls from 'node:tls';
import type { DisposableLike } from '../../base/disposable';
import { englishLocalizer, type Localizer } from '../../base/localizer';
import type { ContentMark, ContentRequest, ContentStream, ReadContent } from './contentStream';
import { FleetError, type FleetErrorKind, toFleetError } from './errors';
import { networkError } from './networkError';

const OK = 200;
const PARTIAL = 206;
const MAX_REASON_LENGTH = 300;
/** Header that our own services set when they can't read the content but otherwise work. */
const ERROR_HEADER = 'fleetwright-error';
/** Header of our own services' redirects with the SHA-256 of the content, in hexadecimal. */
const CONTENT_HASH_HEADER = 'fleetwright-content-sha256';
/** Header of requests that our own services don't answer with a redirect. */
const DECLINE_REDIRECT = { 'fleetwright-redirect': 'no' } as const;

const KINDS: Readonly<Record<number, FleetErrorKind>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'permission',
  404: 'notFound',
  410: 'notFound',
  // The requested offset is beyond the end of the current content.
  416: 'conflict',
  429: 'unavailable',
};

/** Throws an error if a response doesn't contain the requested content. */
async function requireContent(response: IncomingMessage, url: URL, l10n: Localizer): Promise<void> {
  const { statusCode: status = 0 } = response;
  if (status === OK || status === PARTIAL) return;
  const isDamaged = response.headers[ERROR_HEADER] === 'data_loss';
  const kind = isDamaged
    ? 'damaged'
    : (KINDS[status] ?? (status >= 500 ? 'unavailable' : 'internal'));
  const reason = (await readReason(response)) || l10n.t('status {0}', String(status));
  const message = l10n.t("Couldn't read the content from {0}: {1}", url.host, reason);
  throw new FleetError(kind, message, { action: kind === 'unavailable' ? 'retry' : undefined });
}

/**
 * Returns the byte range of a response. @throws FleetError if the range isn't the requested one.
 */
function contentRange(
  response: IncomingMessage,
  from: ContentMark | undefined,
  url: URL,
  l10n: Localizer,
): { readonly start: number; readonly size: number | undefined } {
  const { 'content-length': length, 'content-range': range = '' } = response.headers;
  if (response.statusCode === OK) {
    return { start: 0, size: length === undefined ? undefined : Number(length) };
  }
  const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range) ?? [];
  const start = from?.start;
  if (start === undefined || Number(first) !== start) {
    response.destroy();
    throw new FleetError(
      'internal',
      l10n.t('{0} sent a different part of the content than requested.', url.host),
    );
  }
  return { start, size: Number(size) };
}

/** Reads the start of the error message in a response if the message is plain text. */
async function readReason(response: IncomingMessage): Promise<string> {
  const isText = response.headers['content-type']?.startsWith('text/plain') ?? false;
  let text = '';
  try {
    if (isText) {
      response.setEncoding('utf8');
      for await (const chunk of response) {
        text += String(chunk);
        if (text.length >= MAX_REASON_LENGTH) break;
      }
    }
  } catch {
    // Without a message, the status is sufficient.
  }
  response.destroy();
  return text.slice(0, MAX_REASON_LENGTH).trim();
}

/** Request parameters for the address of content. */
interface ContentAddress {
  readonly url: URL;
  /** True to send the connection's token. */
  readonly withToken: boolean;
}

/**
 * Returns the request parameters for an address and decides whether to send the token. The address
 * comes from the service and can lead to a third-party store, which must not receive the token.
 * Only the connection's own scheme, host, and port can receive it. Rejects other addresses that
 * don't use HTTPS.
 * @throws FleetError of kind `unsupported` for an address that is not allowed.
 */
export function contentAddress(
  uri: string,
  baseUrl: string,
  l10n = englishLocalizer,
): ContentAddress {
  const url = parse(uri, l10n);
  const withToken = url.origin === new URL(baseUrl).origin;
  if (!withToken && url.protocol !== 'https:') {
    const message = l10n.t(
      "Couldn't load the content because its address, {0}, is neither encrypted nor the address of this connection. The service operator can set the public address of the service.",
      `${url.protocol}//${url.host}`,
    );
    throw new FleetError('unsupported', message);
  }
  // Otherwise, user information in the URL would be sent as credentials.
  url.username = '';
  url.password = '';
  return { url, withToken };
}

/**
 * Returns the address that a response redirects to. After a redirect away from the connection's own
 * address, never sends the token again, even if a later redirect leads back.
 */
export function redirectedAddress(
  from: ContentAddress,
  location: string,
  baseUrl: string,
  l10n = englishLocalizer,
): ContentAddress {
  const to = contentAddress(new URL(location, from.url).href, baseUrl, l10n);
  return { url: to.url, withToken: to.withToken && from.withToken };
}

function parse(uri: string, l10n: Localizer): URL {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new FleetError(
    'unsupported',
    l10n.t("The service didn't provide an address for the content."),
  );
}

/** Time in milliseconds without data after which the connection counts as lost. */
const SILENCE_MS = 60_000;
const MAX_REDIRECTS = 5;
/**
 * Time in milliseconds for which redirects are declined after a store failed. It doubles with each
 * failure, because a store that never answers delays the next read by a minute.
 */
const FIRST_DECLINE_MS = 10 * 60_000;
const MAX_DECLINE_MS = 24 * 3_600_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const UNAUTHORIZED = 401;
/** Kinds of errors of a store that the service doesn't have when it sends the content itself. */
const STORE_ERRORS: ReadonlySet<FleetErrorKind> = new Set([
  ...(['unavailable', 'unauthenticated', 'permission', 'notFound'] as const),
  ...(['invalid', 'internal', 'unsupported'] as const),
]);

export interface ContentReaderOptions {
  readonly baseUrl: string;
  /** Additional certificate authorities (PEM) to trust. */
  readonly authorities: readonly string[];
  readonly getToken: () => Promise<string>;
  /** Clears a token that the service rejected. */
  readonly invalidateToken: (token: string) => void;
  /** Returns the time in milliseconds of a clock that is never set. Tests use their own. */
  readonly now?: () => number;
  /** Translates messages; English by default. */
  readonly l10n?: Localizer | undefined;
}

interface SentRequest extends ContentRequest {
  /** True to get the content from the service itself. */
  readonly declinesRedirects: boolean;
}

/** Reads content with HTTP GET over reusable connections. */
export class ContentReader implements DisposableLike {
  private readonly agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent };

  private readonly l10n: Localizer;
  private readonly now: () => number;
  /** Redirects are declined until this time after one led to a store that failed. */
  private declinedUntil = -Infinity;
  private declineMs = FIRST_DECLINE_MS;

  constructor(private readonly options: ContentReaderOptions) {
    const { authorities, now = () => performance.now(), l10n = englishLocalizer } = options;
    this.now = now;
    this.l10n = l10n;
    this.agents = {
      'http:': new http.Agent({ keepAlive: true }),
      'https:': new https.Agent({
        keepAlive: true,
        // Specifying any certificate authority replaces the default authorities, so include them.
        ...(authorities.length > 0 && { ca: [...tls.rootCertificates, ...authorities] }),
      }),
    };
  }

  readonly read: ReadContent = async (uri, request) => {
    const { baseUrl } = this.options;
    const { l10n } = this;
    const declinesRedirects = this.now() < this.declinedUntil;
    let address = contentAddress(uri, baseUrl, l10n);
    let hash: string | undefined;
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const response = await this.requestContent(address, { ...request, declinesRedirects });
        const { location } = response.headers;
        if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) {
          return await this.toContentStream(response, address, request, hash);
        }
        response.destroy();
        // Other servers must not decide which content is expected.
        if (address.withToken) hash = readHash(response);
        address = redirectedAddress(address, location, baseUrl, l10n);
      }
    } catch (error) {
      const { kind } = toFleetError(error);
      if (hash === undefined || declinesRedirects || !STORE_ERRORS.has(kind)) throw error;
      // The service can also send the content itself, for example to a network without access to
      // the store.
      this.declineRedirects();
      return this.read(uri, request);
    }
    throw new FleetError(
      'unavailable',
      l10n.t("Couldn't load the content because its URL redirects too many times."),
    );
  };

  private declineRedirects(): void {
    this.declinedUntil = this.now() + this.declineMs;
    this.declineMs = Math.min(2 * this.declineMs, MAX_DECLINE_MS);
  }

  dispose(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /**
   * Requests content. If the service rejects the token, gets a new token and repeats the request
   * once. Repeating a read is safe.
   */
  private async requestContent(
    address: ContentAddress,
    request: SentRequest,
  ): Promise<http.IncomingMessage> {
    if (!address.withToken) return this.send(address, request, undefined);
    const token = await this.options.getToken();
    const response = await this.send(address, request, token);
    if (response.statusCode !== UNAUTHORIZED) return response;
    response.destroy();
    this.options.invalidateToken(token);
    return this.send(address, request, await this.options.getToken());
  }

  private send(
    { url }: ContentAddress,
    { from, signal, declinesRedirects }: SentRequest,
    token: string | undefined,
  ): Promise<http.IncomingMessage> {
    const isHttps = url.protocol === 'https:';
    const headers = {
      // A compressed response would have different bytes at the same offsets.
      'accept-encoding': 'identity',
      ...(token !== undefined && {
        authorization: `Bearer ${token}`,
        ...(declinesRedirects && DECLINE_REDIRECT),
      }),
      ...(from && { range: `bytes=${from.start}-`, 'if-range': from.version }),
    };
    const options = {
      headers,
      agent: this.agents[isHttps ? 'https:' : 'http:'],
      timeout: SILENCE_MS,
      ...(signal && { signal }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = (isHttps ? https : http).request(url, options, resolve);
      outgoing.on('timeout', () => outgoing.destroy(silence(url, this.l10n)));
      outgoing.on('error', (error) => reject(readError(error, url, signal, this.l10n)));
      outgoing.end();
    });
  }

  private async toContentStream(
    response: http.IncomingMessage,
    { url }: ContentAddress,
    { from, signal }: ContentRequest,
    hash: string | undefined,
  ): Promise<ContentStream> {
    await requireContent(response, url, this.l10n);
    const { start, size } = contentRange(response, from, url, this.l10n);
    const { etag } = response.headers;
    // Ceph ignores If-Range, so a range can be part of other content (RFC 9110, section 15.3.7.3).
    if (response.statusCode === PARTIAL && etag !== undefined && etag !== from?.version) {
      response.destroy();
      const message = this.l10n.t(
        'The content from {0} was changed during the download.',
        url.host,
      );
      throw new FleetError('conflict', message);
    }
    return {
      start,
      size,
      // A weak ETag can stay the same when the bytes change.
      version: etag?.startsWith('"') ? etag : undefined,
      chunks:
        // The start of a resumed download isn't here.
        hash === undefined || response.statusCode === PARTIAL
          ? readChunks(response, url, signal, this.l10n)
          : this.verifyChunks(readChunks(response, url, signal, this.l10n), hash, url),
    };
  }

  /** Verifies content that its store, unlike the service, doesn't verify when it is read. */
  private async *verifyChunks(
    chunks: AsyncIterable<Uint8Array>,
    hash: string,
    url: URL,
  ): AsyncGenerator<Uint8Array> {
    const digest = createHash('sha256');
    for await (const chunk of chunks) {
      digest.update(chunk);
      yield chunk;
    }
    if (digest.digest('hex') === hash) return;
    // The service can have an undamaged copy, and otherwise reports the damage to its operator.
    this.declineRedirects();
    const message = this.l10n.t(
      'The content from {0} is damaged. Try again to load it through the service.',
      url.host,
    );
    throw new FleetError('damaged', message, { action: 'retry' });
  }
}

function readHash({ headers }: http.IncomingMessage): string | undefined {
  const hash = headers[CONTENT_HASH_HEADER];
  return typeof hash === 'string' ? hash : undefined;
}

async function* readChunks(
  response: http.IncomingMessage,
  url: URL,
  signal: AbortSignal | undefined,
  l10n: Localizer,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array;
  } catch (error) {
    throw readError(error, url, signal, l10n);
  } finally {
    response.destroy();
  }
}

function silence({ host }: URL, l10n: Localizer): FleetError {
  const seconds = String(SILENCE_MS / 1_000);
  const message = l10n.t('{0} stopped sending data ({1} s timeout).', host, seconds);
  return new FleetError('unavailable', message, { action: 'retry' });
}

function readError(
  error: unknown,
  url: URL,
  signal: AbortSignal | undefined,
  l10n: Localizer,
): FleetError {
  if (signal?.aborted) {
    return new FleetError('canceled', l10n.t('The download was canceled.'), { cause: error });
  }
  if (error instanceof FleetError) return error;
  const network = networkError(error, url.origin, l10n);
  if (network) return network;
  const message = l10n.t('{0} closed the connection during a download.', url.host);
  return new FleetError('unavailable', message, { cause: error, action: 'retry' });
}
