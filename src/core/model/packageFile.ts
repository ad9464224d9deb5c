import type { JsonObject } from '@bufbuild/protobuf';
import type { Package } from '../../gen/viam/app/packages/v1/packages_pb';
import { dateOf } from './fromWire';
import { type OrganizationId, organizationId } from './ids';
import type { RegistryItemType } from './registryItem';
import { ITEM_TYPES, nameOf } from './registryWire';

/** An entry of an archive, as its uploader told of it. */
export interface PackageEntry {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly isDirectory: boolean;
}

/** One archive of a version of a registry item (wire: Package). */
export interface PackageFileInfo {
  readonly organizationId: OrganizationId;
  /** The name of its item. */
  readonly name: string;
  readonly version: string;
  readonly type: RegistryItemType;
  /** `any` where the wire tells none. */
  readonly platform: string;
  /** Where it is read; empty when that was not asked for. */
  readonly url: string;
  /**
   * Bytes: of the archive, or of what is in it where its uploader told of that. Undefined where a list
   * had no place for it.
   */
  readonly sizeBytes: number | undefined;
  /** SHA-256 in hexadecimal; empty where the wire tells none. */
  readonly checksum: string;
  readonly createdOn: Date | undefined;
  readonly files: readonly PackageEntry[];
  /** What its uploader told of it, such as the framework of a model. */
  readonly metadata: JsonObject;
}

/** An archive as the package methods answer it. */
export function packageFileFromWire({ info, ...wire }: Package): PackageFileInfo {
  const files = (info?.files ?? []).map(({ name, size, isDirectory }) => ({
    name,
    size: Number(size),
    isDirectory: isDirectory ?? false,
  }));
  const sum = files.reduce((total, { size }) => total + size, 0);
  return {
    organizationId: organizationId(info?.organizationId ?? ''),
    name: info?.name ?? '',
    version: info?.version ?? '',
    type: nameOf(ITEM_TYPES, info?.type ?? 0) ?? 'unknown',
    platform: info?.platform ?? 'any',
    url: wire.url,
    sizeBytes: files.length === 0 ? undefined : sum,
    checksum: wire.checksum,
    createdOn: dateOf(wire.createdOn),
    files,
    metadata: info?.metadata ?? {},
  };
}
