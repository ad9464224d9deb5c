import type { JsonObject } from '@bufbuild/protobuf';
import type { Package } from '../../gen/viam/app/packages/v1/packages_pb';
import { toDate } from './fromWire';
import { type OrganizationId, organizationId } from './ids';
import type { RegistryItemType } from './registryItem';
import { findWireName, ITEM_TYPES } from './registryWire';

/** Entry in an archive, as described by its uploader. */
export interface PackageEntry {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly isDirectory: boolean;
}

/** Archive for a version of a registry item (wire: Package). */
export interface PackageFileInfo {
  readonly organizationId: OrganizationId;
  /** Name of the registry item. */
  readonly name: string;
  readonly version: string;
  readonly type: RegistryItemType;
  /** Target platform; `any` if the wire message has none. */
  readonly platform: string;
  /** Download URL; empty if not requested. */
  readonly url: string;
  /**
   * Size in bytes of the archive, or of its contents if the uploader described them. Undefined in
   * lists that don't include the size.
   */
  readonly sizeBytes: number | undefined;
  /** SHA-256 in hexadecimal; empty if the wire message has none. */
  readonly checksum: string;
  readonly createdOn: Date | undefined;
  readonly files: readonly PackageEntry[];
  /** Metadata from the uploader, such as a model's framework. */
  readonly metadata: JsonObject;
}

/** Converts an archive in a response from a package method. */
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
    type: findWireName(ITEM_TYPES, info?.type ?? 0) ?? 'unknown',
    platform: info?.platform ?? 'any',
    url: wire.url,
    sizeBytes: files.length === 0 ? undefined : sum,
    checksum: wire.checksum,
    createdOn: toDate(wire.createdOn),
    files,
    metadata: info?.metadata ?? {},
  };
}

/**
 * Returns true for a tag that machines can have, such as `distro:debian`. Machines compare whole
 * tags, which are separated by spaces.
 */
export function isPlatformTag(tag: string): boolean {
  return /^\S+$/.test(tag);
}
