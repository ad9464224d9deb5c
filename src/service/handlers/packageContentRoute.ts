import type { Logger } from '../../base/logger';
import type { Authenticator } from '../auth/authenticator';
import type { BlobStore } from '../blobs/blobStore';
import type { DamageReports } from '../blobs/damageReports';
import { notFound } from '../errors';
import { archiveName } from '../messages/packageMessages';
import type { HttpRoute } from '../server/http';
import { findPackageFile } from '../store/packages';
import { findRegistryItemById } from '../store/registry';
import type { Store } from '../store/store';
import { contentRoute } from './contentRoute';
import { mayReadPackage } from './packageAccess';

/** Path prefix of package archives, which are served over HTTP GET. */
const PACKAGE_CONTENT_PATH = '/package-files/';

/** Returns the URL path of an archive. */
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
