import { Code, ConnectError } from '@connectrpc/connect';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../../base/logger';
import type { Authenticator } from '../auth/authenticator';
import { type Principal, toRateKey } from '../auth/principal';
import { DamagedBlob } from '../blobs/blobChecks';
import type { BlobKey, BlobStore, ByteRange } from '../blobs/blobStore';
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
import { mayReadPackage } from './packageVersions';

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
  setHeaders(response, content, etag);
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
    throw error instanceof DamagedBlob
      ? damageReports.report({ kind, id, hash: content.hash }, error)
      : error;
  }
}

/**
 * Sets headers that prevent browsers from rendering uploaded content as a page from this service.
 */
function setHeaders(
  response: HttpResponse,
  { mimeType, fileName }: ReadableContent,
  etag: string,
): void {
  // Text from machines can contain characters that aren't valid in a header.
  const type = /^[\x20-\x7e]+$/.test(mimeType) ? mimeType : 'application/octet-stream';
  response.setHeader('content-type', type);
  response.setHeader(
    'content-disposition',
    `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
  );
  response.setHeader('content-security-policy', "sandbox; default-src 'none'");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('cache-control', 'private, no-cache');
  response.setHeader('etag', etag);
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
      gone.abort(new ConnectError('the caller is gone', Code.Canceled));
    });
    const token = await authenticator.authenticate(
      { entity: keyId, type: 'api-key', payload: key },
      { address, signal: gone.signal },
    );
    return authenticator.principal(`Bearer ${token}`);
  }
  return authenticator.principal(headers.authorization);
}

function fail(logger: Logger, request: HttpRequest, response: HttpResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const connectError = error instanceof ConnectError ? error : toStoreError(error);
  const status = connectError === undefined ? undefined : STATUSES[connectError.code];
  for (const name of response.getHeaderNames()) {
    response.removeHeader(name);
  }
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
      if (file === undefined || item === undefined || !mayReadPackage(principal, item)) {
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
