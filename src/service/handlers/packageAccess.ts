import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { isMember } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { notFound } from '../errors';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import type { StoreAccess } from '../store/store';
import { organizationsWith } from './registryItems';

/**
 * Whether a caller may read the packages of an item that it knows. Machines may, of their
 * organization: their configs name them.
 */
export function mayReadPackage(principal: Principal, item: RegistryItemWithOwner): boolean {
  return (
    (item.visibility as Visibility) !== Visibility.PRIVATE ||
    organizationsWith(principal, 'read_packages').includes(item.organization_id) ||
    (principal.partId !== undefined && isMember(principal, item.organization_id))
  );
}

/**
 * The item that has the packages with an id, `organization_id/name` or `namespace/name`.
 * @param type what it has to be; unspecified for whatever it is.
 * @throws NotFound when there is none, or the caller may not read it.
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
