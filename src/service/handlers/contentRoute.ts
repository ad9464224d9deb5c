import { Code, ConnectError } from '@connectrpc/connect';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../../base/logger';
import type { Authenticator } from '../auth/authenticator';
import { type Principal, toRateKey } from '../auth/principal';
import { DamagedBlobError } from '../blobs/blobChecks';
import type { BlobKey, BlobStore, ByteRange, DownloadHeaders } from '../blobs/blobStore';
import { type DamageReports, MISSING_BLOB } from '../blobs/damageReports';
import {
  getRequestPath,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  type HttpRoute,
  rejectRequest,
} from '../server/http';
import { logInternalError } from '../server/callRecord';
import { setRetryAfter } from '../server/responses';
import { toStoreError } from '../store/storeErrors';
import { notFound } from '../errors';
import { type DataDependencies, readableItems } from './data/dataAccess';
import { archiveName } from '../messages/packageMessages';
import { findPackageFile } from '../store/packages';
import { findRegistryItemById } from '../store/registry';
import type { Store } from '../store/store';
import { canReadPackage } from './packageVersions';

/** Content that the caller can read. */
export interface ReadableContent extends BlobKey {
  mimeType: string;
  /** File name that a browser uses to save the content. */
  fileName: string;
}

export interface ContentRouteOptions {
  authenticator: Authenticator;
  blobs: BlobStore;
  damageReports: DamageReports;
  logger: Logger;
  /** Path prefix for the contents, which is followed by their IDs. */
  path: string;
  /** Kind of resource that the IDs identify, for messages to users. */
  kind: string;
  /** @throws ConnectError if the content doesn't exist or the caller can't read it. */
  find: (principal: Principal, id: string) => Promise<ReadableContent>;
}

const STATUSES: Readonly<Partial<Record<Code, number>>> = {
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.InvalidArgument]: 400,
  [Code.ResourceExhausted]: 429,
  [Code.Unavailable]: 503,
  [Code.DataLoss]: 500,
};

/**
 * Header that informs clients that the content is damaged, to distinguish this from a problem with
 * the service.
 */
const ERROR_HEADER = 'fleetwright-error';
/** Header of a redirect with the SHA-256 of the content, which the service doesn't check then. */
const CONTENT_HASH_HEADER = 'fleetwright-content-sha256';
/** Header with the value `no` of clients that don't follow redirects. */
const REDIRECT_HEADER = 'fleetwright-redirect';
const TEMPORARY_REDIRECT = 307;
const UNKNOWN_TYPE = 'application/octet-stream';
/**
 * Maximum number of characters of a suggested file name, which file systems limit, too. Each
 * character can take 9 bytes in a header, and 15 in a presigned URL, and clients limit both.
 */
const MAX_FILE_NAME_LENGTH = 255;
/**
 * Types that no browser renders as a page. A bucket can send the other types only without `nosniff`
 * and a content security policy.
 */
const INERT_TYPE = /^(?:(?:image|audio|video)\/[\w.-]+|application\/(?:x-)?gzip)$/i;

/**
 * Serves contents over HTTP GET, including ranges, to callers with read permission. Callers send
 * either a bearer token or an API key in the headers `key_id` and `key` (wire: large binaries).
 */
function contentRoute(options: ContentRouteOptions): HttpRoute {
  return (request, response, client) => {
    const path = getRequestPath(request);
    if (!path.startsWith(options.path)) return false;
    const id = path.slice(options.path.length);
    handleContentRequest(options, id, request, response, client).catch((error: unknown) => {
      fail(options.logger, request, response, error);
    });
    return true;
  };
}

async function handleContentRequest(
  { authenticator, blobs, damageReports, find, kind }: ContentRouteOptions,
  id: string,
  request: HttpRequest,
  response: HttpResponse,
  client: HttpClient,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    rejectRequest(request, response, 405, 'Use GET to read contents.');
    return;
  }
  const caller = await authenticateCaller(authenticator, request, response, client);
  const excess = client.takeKey(toRateKey(caller));
  if (excess !== undefined) throw excess;
  const content = await find(caller, id);
  const etag = `"${content.hash}"`;
  const headers = describeDownload(content);
  const url = canFollowRedirect(request, etag)
    ? await blobs.createDownloadUrl(content, {
        ...headers,
        contentType: INERT_TYPE.test(headers.contentType) ? headers.contentType : UNKNOWN_TYPE,
      })
    : undefined;
  if (url !== undefined) {
    redirect(response, url, content);
    return;
  }
  setHeaders(response, headers, etag);
  const { range: rangeHeader, 'if-range': condition } = request.headers;
  const isSame = condition === undefined || condition === etag;
  const range = isSame ? parseRange(rangeHeader, content.size) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${String(content.size)}`);
    rejectRequest(request, response, 416, 'This range is outside the content.');
    return;
  }
  try {
    const bytes = await blobs.open(content, range);
    if (bytes === undefined) {
      // Throws if the content has just been deleted. In that case, it isn't damaged.
      await find(caller, id);
      throw MISSING_BLOB;
    }
    if (range !== undefined) {
      const { start, end } = range;
      response.statusCode = 206;
      response.setHeader('content-range', `bytes ${start}-${end}/${String(content.size)}`);
      response.setHeader('content-length', end - start + 1);
    } else {
      response.setHeader('content-length', content.size);
    }
    if (request.method === 'HEAD') {
      bytes.destroy();
      response.end();
      return;
    }
    await pipeline(bytes, response);
  } catch (error) {
    throw error instanceof DamagedBlobError
      ? damageReports.report({ kind, id, hash: content.hash }, error)
      : error;
  }
}

function describeDownload({ mimeType, fileName }: ReadableContent): DownloadHeaders {
  // The end contains the extension. It can start in the middle of a surrogate pair.
  const suggestedName = fileName.slice(-MAX_FILE_NAME_LENGTH).toWellFormed();
  return {
    // Text from machines can contain characters that aren't valid in a header.
    contentType: /^[\x20-\x7e]+$/.test(mimeType) ? mimeType : UNKNOWN_TYPE,
    contentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(suggestedName)}`,
    cacheControl: 'private, no-cache',
  };
}

/**
 * Sets headers that prevent browsers from rendering uploaded content as a page from this service.
 */
function setHeaders(
  response: HttpResponse,
  { contentType, contentDisposition, cacheControl }: DownloadHeaders,
  etag: string,
): void {
  response.setHeader('content-type', contentType);
  response.setHeader('content-disposition', contentDisposition);
  response.setHeader('content-security-policy', "sandbox; default-src 'none'");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('cache-control', cacheControl);
  response.setHeader('etag', etag);
}

/**
 * Returns true if a client can be redirected to another origin. Clients don't send a bearer token
 * there, but they would send an API key in their own headers. A web page can't read from a bucket
 * that doesn't know its origin, and a bucket doesn't know the service's ETags.
 */
function canFollowRedirect({ method, headers }: HttpRequest, etag: string): boolean {
  return (
    method === 'GET' &&
    headers.key === undefined &&
    headers.key_id === undefined &&
    headers.origin === undefined &&
    headers[REDIRECT_HEADER] !== 'no' &&
    headers['if-range'] !== etag
  );
}

/** Redirects to a presigned URL, which must not be stored anywhere. */
function redirect(response: HttpResponse, url: string, { hash }: ReadableContent): void {
  response.statusCode = TEMPORARY_REDIRECT;
  response.setHeader('location', url);
  response.setHeader('cache-control', 'private, no-store');
  // Keeps the address of the content from the bucket's log.
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader(CONTENT_HASH_HEADER, hash);
  response.setHeader('content-length', 0);
  response.end();
}

async function authenticateCaller(
  authenticator: Authenticator,
  { headers }: HttpRequest,
  response: HttpResponse,
  { address }: HttpClient,
): Promise<Principal> {
  const { key_id: keyId, key } = headers;
  if (headers.authorization === undefined && typeof keyId === 'string' && typeof key === 'string') {
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort(new ConnectError('the caller disconnected', Code.Canceled));
    });
    const token = await authenticator.authenticate(
      { entity: keyId, type: 'api-key', payload: key },
      { address, signal: gone.signal },
    );
    return authenticator.principal(`Bearer ${token}`);
  }
  return authenticator.principal(headers.authorization);
}

/** Headers that describe a content, unlike those that every response has. */
const CONTENT_HEADERS = [
  ...['content-type', 'content-disposition', 'content-security-policy', 'content-length'],
  ...['content-range', 'accept-ranges', 'cache-control', 'etag'],
];

function fail(logger: Logger, request: HttpRequest, response: HttpResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const connectError = error instanceof ConnectError ? error : toStoreError(error);
  const status = connectError === undefined ? undefined : STATUSES[connectError.code];
  for (const name of CONTENT_HEADERS) response.removeHeader(name);
  if (connectError?.code === Code.DataLoss) response.setHeader(ERROR_HEADER, 'data_loss');
  if (connectError !== undefined) setRetryAfter(response, connectError);
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  const message = connectError?.rawMessage ?? logInternalError(logger, 'reading a content', error);
  rejectRequest(request, response, status ?? 500, message);
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses a `Range` header, which requests part of the content (RFC 9110, section 14).
 * @returns undefined for the whole content, if there is no header or if a server can ignore its
 *   form, such as multiple ranges; 'unsatisfiable' for a range outside the content.
 */
function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | undefined | 'unsatisfiable' {
  const [, first, last] = RANGE.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
  return start > end ? 'unsatisfiable' : { start, end };
}

/**
 * Path prefix for the contents of binary items, which are served over HTTP GET. The prefix is
 * followed by an item ID.
 */
export const BINARY_CONTENT_PATH = '/binary-data/';

interface BinaryContentOptions extends DataDependencies {
  authenticator: Authenticator;
  logger: Logger;
}

/** Serves the contents of binary items to callers with read permission. */
export function binaryContentRoute(options: BinaryContentOptions): HttpRoute {
  const kind = 'binary data';
  return contentRoute({
    ...options,
    path: BINARY_CONTENT_PATH,
    kind,
    async find(principal, id) {
      const [row] = await readableItems(options.store, principal, [id]);
      if (row === undefined) throw notFound(kind, id);
      return {
        hash: row.blob_hash,
        size: row.file_size,
        mimeType: row.mime_type,
        fileName: (row.file_name || row.id) + row.file_ext,
      };
    },
  });
}

/** Path prefix of package archives, which are served over HTTP GET. */
const PACKAGE_CONTENT_PATH = '/package-files/';

/** Returns an archive's URL path. */
export function packageContentPath(fileId: string): string {
  return PACKAGE_CONTENT_PATH + fileId;
}

interface PackageContentOptions {
  store: Store;
  blobs: BlobStore;
  damageReports: DamageReports;
  authenticator: Authenticator;
  logger: Logger;
}

/** Serves the archives of packages to callers who can read the package. */
export function packageContentRoute(options: PackageContentOptions): HttpRoute {
  const { store } = options;
  const kind = 'package file';
  return contentRoute({
    ...options,
    path: PACKAGE_CONTENT_PATH,
    kind,
    async find(principal, id) {
      const file = await findPackageFile(store, id);
      const item = file && (await findRegistryItemById(store, file.item_id));
      if (file === undefined || item === undefined || !canReadPackage(principal, item)) {
        throw notFound(kind, id);
      }
      return {
        hash: file.blob_hash,
        size: file.file_size,
        mimeType: 'application/x-gzip',
        fileName: archiveName(item, file),
      };
    },
  });
}
