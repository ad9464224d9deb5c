import { create, fromJsonString, toJsonString } from '@bufbuild/protobuf';
import {
  type Package,
  type PackageInfo,
  PackageInfoSchema,
  PackageSchema,
} from '../../gen/viam/app/packages/v1/packages_pb';
import { timestampFromMicros } from '../store/micros';
import type { PackageFileSummary } from '../store/packages';
import type { PackageFileRow } from '../store/packageSchema';
import type { RegistryItemWithOwner } from '../store/registry';

/** Returns the package ID of an item, which is the same for all versions. */
export function getPackageId(
  item: Pick<RegistryItemWithOwner, 'organization_id' | 'name'>,
): string {
  return `${item.organization_id}/${item.name}`;
}

/** Returns the file name that a browser uses to save the archive. */
export function archiveName(
  { name }: Pick<RegistryItemWithOwner, 'name'>,
  { version, platform }: Pick<PackageFileRow, 'version' | 'platform'>,
): string {
  return `${[name, version, ...platform.split('/')].join('-')}.tar.gz`;
}

/** Returns an uploader's description of an archive's contents as the string to store. */
export function serializeContents({
  files,
  metadata,
}: Pick<PackageInfo, 'files' | 'metadata'>): string {
  return toJsonString(
    PackageInfoSchema,
    create(PackageInfoSchema, { files, ...(metadata && { metadata }) }),
  );
}

/**
 * Returns the wire format of an archive.
 * @param info description of the archive's contents; absent if the response omits it.
 * @param url download URL; empty if it isn't requested.
 */
export function packageMessage(
  item: RegistryItemWithOwner,
  file: PackageFileSummary,
  info: string | undefined,
  url: string,
): Package {
  const { files, metadata } = fromJsonString(PackageInfoSchema, info ?? '{}');
  const whole = { name: archiveName(item, file), size: BigInt(file.file_size) };
  return create(PackageSchema, {
    id: getPackageId(item),
    url,
    checksum: file.blob_hash,
    createdOn: timestampFromMicros(file.uploaded_at),
    info: {
      organizationId: item.organization_id,
      name: item.name,
      version: file.version,
      type: item.type,
      platform: file.platform,
      files: files.length > 0 ? files : [whole],
      ...(metadata && { metadata }),
    },
  });
}
