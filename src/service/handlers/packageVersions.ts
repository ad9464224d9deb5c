import { compareSemanticVersions, parseSemanticVersion } from '../../core/model/semanticVersion';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { ConfigBudget } from '../config/configRules';
import type { ItemVersion } from '../messages/packageMessages';
import { listPackageFiles, listVersions, listVersionSummaries } from '../store/packages';
import type { RegistryItemRow } from '../store/registrySchema';
import type { StoreAccess } from '../store/store';
import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { isMember } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { notFound } from '../errors';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import { organizationsWith } from './registryItems';

/** Maximum total size of descriptions. A message is limited to 64 MiB. */
const MAX_VERSIONS_BYTES = { own: 24 * 1024 * 1024, others: 0 };

type Versioned = Pick<RegistryItemRow, 'id' | 'type'>;

/**
 * Returns versions in order, newest last. Versions of modules are ordered by version number.
 * Versions of other items are ordered by creation time.
 */
export function inOrder<T extends { version: string }>(item: Versioned, versions: T[]): T[] {
  if ((item.type as PackageType) !== PackageType.MODULE) return versions;
  return versions
    .map((row) => ({ row, parsed: parseSemanticVersion(row.version) }))
    .sort((left, right) =>
      left.parsed && right.parsed ? compareSemanticVersions(left.parsed, right.parsed) : 0,
    )
    .map(({ row }) => row);
}

/**
 * Loads the items' versions with their files, but without the item descriptions that were saved at
 * the time of each upload.
 */
export async function loadVersions(
  access: StoreAccess,
  items: readonly Versioned[],
): Promise<Map<string, ItemVersion[]>> {
  const ids = items.map(({ id }) => id);
  const versions = Map.groupBy(await listVersionSummaries(access, ids), ({ item_id }) => item_id);
  const files = Map.groupBy(await listPackageFiles(access, ids), ({ item_id }) => item_id);
  return new Map(
    items.map((item) => {
      const byVersion = Map.groupBy(files.get(item.id) ?? [], ({ version }) => version);
      const rows = inOrder(item, versions.get(item.id) ?? []);
      return [item.id, rows.map((row) => ({ ...row, files: byVersion.get(row.version) ?? [] }))];
    }),
  );
}

/**
 * Loads all versions of one item with their descriptions. Omits the oldest descriptions if their
 * total size is too large.
 */
export async function loadWholeVersions(
  access: StoreAccess,
  item: Versioned,
): Promise<ItemVersion[]> {
  const versions = inOrder(item, await listVersions(access, item.id));
  const files = Map.groupBy(await listPackageFiles(access, [item.id]), ({ version }) => version);
  const budget = new ConfigBudget(MAX_VERSIONS_BYTES);
  return versions
    .toReversed()
    .map(({ metadata, markdown_description, ...row }) => ({
      ...row,
      files: files.get(row.version) ?? [],
      ...(budget.tryConsume('own', metadata.length + (markdown_description?.length ?? 0)) && {
        description: { metadata, markdown_description },
      }),
    }))
    .reverse();
}

/**
 * Returns true if a caller can read an existing item's packages. Machines can read their
 * organization's packages, because their configs refer to these packages.
 */
export function canReadPackage(principal: Principal, item: RegistryItemWithOwner): boolean {
  return (
    (item.visibility as Visibility) !== Visibility.PRIVATE ||
    organizationsWith(principal, 'read_packages').includes(item.organization_id) ||
    (principal.partId !== undefined && isMember(principal, item.organization_id))
  );
}

/**
 * Returns the item for a package ID, which is `organization_id/name` or `namespace/name`.
 * @param type required type; unspecified for any type.
 * @throws NotFound if the item doesn't exist or the caller can't read it.
 */
export async function readablePackage(
  access: StoreAccess,
  principal: Principal,
  id: string,
  type: PackageType,
): Promise<RegistryItemWithOwner> {
  const separator = id.indexOf('/');
  const item = await findRegistryItem(access, id.slice(0, separator), id.slice(separator + 1));
  const isRequested = type === PackageType.UNSPECIFIED || type === (item?.type as PackageType);
  if (item === undefined || !isRequested || !canReadPackage(principal, item)) {
    throw notFound('package', id);
  }
  return item;
}
