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

/** The id of the packages of an item, the same for all versions. */
export function packageIdOf(item: Pick<RegistryItemWithOwner, 'organization_id' | 'name'>): string {
  return `${item.organization_id}/${item.name}`;
}

/** What a browser calls the archive that it saves. */
export function archiveName(
  { name }: Pick<RegistryItemWithOwner, 'name'>,
  { version, platform }: Pick<PackageFileRow, 'version' | 'platform'>,
): string {
  return `${[name, version, ...platform.split('/')].join('-')}.tar.gz`;
}

/** The text in which it is stored what an uploader says of the contents of an archive. */
export function contentsText({ files, metadata }: Pick<PackageInfo, 'files' | 'metadata'>): string {
  return toJsonString(
    PackageInfoSchema,
    create(PackageInfoSchema, { files, ...(metadata && { metadata }) }),
  );
}

/**
 * The wire form of an archive.
 * @param info what is said of its contents; absent where an answer leaves that out.
 * @param url where it is read; empty where that is not asked for.
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
    id: packageIdOf(item),
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
