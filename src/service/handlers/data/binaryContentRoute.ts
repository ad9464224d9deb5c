import type { Logger } from '../../../base/logger';
import type { Authenticator } from '../../auth/authenticator';
import { notFound } from '../../errors';
import type { HttpRoute } from '../../server/http';
import { contentRoute } from '../contentRoute';
import { type DataDependencies, readableItems } from './dataAccess';

/**
 * Path prefix of the contents of binary items, which are served over HTTP GET. The prefix is
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
      if (row === undefined) {
        throw notFound(kind, id);
      }
      return {
        hash: row.blob_hash,
        size: row.file_size,
        mimeType: row.mime_type,
        fileName: (row.file_name || row.id) + row.file_ext,
      };
    },
  });
}
