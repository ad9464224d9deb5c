import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { isMember } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { notFound } from '../errors';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import type { StoreAccess } from '../store/store';
import { organizationsWith } from './registryItems';

/**
 * Returns true if a caller can read the packages of an existing item. Machines can read the
 * packages of their organization, because their configs refer to these packages.
 */
export function mayReadPackage(principal: Principal, item: RegistryItemWithOwner): boolean {
  return (
    (item.visibility as Visibility) !== Visibility.PRIVATE ||
    organizationsWith(principal, 'read_packages').includes(item.organization_id) ||
    (principal.partId !== undefined && isMember(principal, item.organization_id))
  );
}

/**
 * Returns the item of a package ID, which is `organization_id/name` or `namespace/name`.
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
  const isWanted = type === PackageType.UNSPECIFIED || type === (item?.type as PackageType);
  if (item === undefined || !isWanted || !mayReadPackage(principal, item)) {
    throw notFound('package', id);
  }
  return item;
}
