import { Code, ConnectError } from '@connectrpc/connect';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../../../base/logger';
import type { Authenticator } from '../../auth/authenticator';
import type { Principal } from '../../auth/principal';
import { notFound } from '../../errors';
import {
  type HttpRequest,
  type HttpResponse,
  type HttpRoute,
  pathOf,
  refuse,
} from '../../server/http';
import { logInternalError } from '../../server/internalErrorInterceptor';
import type { BinaryDataRow } from '../../store/data/dataSchema';
import { storeFaultOf } from '../../store/storeErrors';
import { parseRange } from './byteRange';
import { type DataDependencies, readableItems } from './dataAccess';

/** Under this path the contents of binary items are read with HTTP GET, by the items' ids. */
export const BINARY_CONTENT_PATH = '/binary-data/';

interface ContentOptions extends DataDependencies {
  authenticator: Authenticator;
  logger: Logger;
}

const STATUSES: Readonly<Partial<Record<Code, number>>> = {
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.InvalidArgument]: 400,
  [Code.Unavailable]: 503,
};

/**
 * Serves the contents of binary items, also in ranges, to whoever may read them: with a bearer
 * token, or with the headers `key_id` and `key` of an API key (wire: large binaries).
 */
export function binaryContentRoute(options: ContentOptions): HttpRoute {
  return (request, response) => {
    const path = pathOf(request);
    if (!path.startsWith(BINARY_CONTENT_PATH)) {
      return false;
    }
    answer(options, path.slice(BINARY_CONTENT_PATH.length), request, response).catch(
      (error: unknown) => {
        fail(options.logger, request, response, error);
      },
    );
    return true;
  };
}

async function answer(
  options: ContentOptions,
  id: string,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    refuse(request, response, 405, 'Contents are read with GET.');
    return;
  }
  const principal = await callerOf(options.authenticator, request);
  const [row] = await readableItems(options.store, principal, [id]);
  if (row === undefined) {
    throw notFound('binary data', id);
  }
  const etag = `"${row.blob_hash}"`;
  setHeaders(response, row, etag);
  const { range: asked, 'if-range': condition } = request.headers;
  const isSame = condition === undefined || condition === etag;
  const range = isSame ? parseRange(asked, row.file_size) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${String(row.file_size)}`);
    refuse(request, response, 416, 'This range is outside of the content.');
    return;
  }
  if (range !== undefined) {
    const { start, end } = range;
    response.statusCode = 206;
    response.setHeader('content-range', `bytes ${start}-${end}/${String(row.file_size)}`);
    response.setHeader('content-length', end - start + 1);
  } else {
    response.setHeader('content-length', row.file_size);
  }
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const content = await options.blobs.open(row.blob_hash, range);
  if (content === undefined) {
    throw notFound('binary data', id);
  }
  await pipeline(content, response);
}

/** What was captured is shown by no browser as a page of this service, whatever is in it. */
function setHeaders(response: HttpResponse, row: BinaryDataRow, etag: string): void {
  const name = encodeURIComponent((row.file_name || row.id) + row.file_ext);
  // Text that machines send may have characters that no header can carry.
  const type = /^[\x20-\x7e]+$/.test(row.mime_type) ? row.mime_type : 'application/octet-stream';
  response.setHeader('content-type', type);
  response.setHeader('content-disposition', `attachment; filename*=UTF-8''${name}`);
  response.setHeader('content-security-policy', "sandbox; default-src 'none'");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('cache-control', 'private, no-cache');
  response.setHeader('etag', etag);
}

async function callerOf(
  authenticator: Authenticator,
  { headers }: HttpRequest,
): Promise<Principal> {
  const { key_id: keyId, key } = headers;
  if (headers.authorization === undefined && typeof keyId === 'string' && typeof key === 'string') {
    const token = await authenticator.authenticate(keyId, 'api-key', key);
    return authenticator.principal(`Bearer ${token}`);
  }
  return authenticator.principal(headers.authorization);
}

function fail(logger: Logger, request: HttpRequest, response: HttpResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const told = error instanceof ConnectError ? error : storeFaultOf(error);
  const status = told === undefined ? undefined : STATUSES[told.code];
  for (const name of response.getHeaderNames()) {
    response.removeHeader(name);
  }
  if (status === 401) {
    response.setHeader('www-authenticate', 'Bearer');
  }
  const message = told?.rawMessage ?? logInternalError(logger, 'reading a content', error);
  refuse(request, response, status ?? 500, message);
}
