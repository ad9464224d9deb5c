import { findSameVersion } from '../../core/model/semanticVersion';
import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { grantsPermission, type Permission } from '../auth/permissions';
import type { Principal } from '../auth/principal';
import { invalid, notFound, permissionDenied } from '../errors';
import { listVersionSummaries } from '../store/packages';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import type { StoreAccess } from '../store/store';
import { requireName, requireText } from './handlerSupport';

const ITEM_NAME = /^[A-Za-z0-9_-]+$/;
const MAX_MARKDOWN_LENGTH = 200_000;

/** Returns the organizations on which a caller has a role that grants a permission. */
export function organizationsWith(principal: Principal, permission: Permission): string[] {
  return principal.grants
    .filter((grant) => grant.resourceType === 'organization' && grantsPermission(grant, permission))
    .map((grant) => grant.resourceId);
}

/** Returns true if a caller who knows the ID of an item can read the item. */
export function mayReadItem(principal: Principal, item: RegistryItemWithOwner): boolean {
  return (
    (item.visibility as Visibility) !== Visibility.PRIVATE ||
    organizationsWith(principal, 'read_private_registry_item').includes(item.organization_id)
  );
}

/**
 * Returns the item with an ID, which is `namespace:name` or `organization_id:name`.
 * @param kind kind of resource that the caller requests, for the error message.
 * @throws NotFound if the item doesn't exist or the caller can't read it.
 */
export async function readableItem(
  access: StoreAccess,
  principal: Principal,
  itemId: string,
  kind = 'registry item',
): Promise<RegistryItemWithOwner> {
  const separator = itemId.indexOf(':');
  const item = await findRegistryItem(
    access,
    itemId.slice(0, separator),
    itemId.slice(separator + 1),
  );
  if (item === undefined || !mayReadItem(principal, item)) {
    throw notFound(kind, itemId);
  }
  return item;
}

/** Returns the permission required to write an item with a given visibility. */
export function writingNeeds(visibility: number): Permission {
  return (visibility as Visibility) === Visibility.PRIVATE
    ? 'write_private_registry_item'
    : 'write_public_registry_item';
}

/**
 * Checks that a caller can change an item that the caller can read. Items that are public or become
 * public require a different permission than items that stay within the organization.
 * @throws PermissionDenied otherwise.
 */
export function requireWritable(
  principal: Principal,
  item: RegistryItemWithOwner,
  next: Visibility = item.visibility,
): void {
  for (const visibility of [item.visibility as Visibility, next]) {
    const permission = writingNeeds(visibility);
    if (!organizationsWith(principal, permission).includes(item.organization_id)) {
      throw permissionDenied(permission, 'organization', item.organization_id);
    }
  }
}

/**
 * Validates the name of a new item.
 * @throws InvalidArgument if the name is empty or not valid in an ID.
 */
export function requireItemName(name: string, field = 'name'): string {
  if (!ITEM_NAME.test(requireName(name, field))) {
    throw invalid(`${field}: must consist of letters, digits, dashes, and underscores`);
  }
  return name;
}

/**
 * Validates the URL of documentation or code; an empty string means none.
 * @throws InvalidArgument if a browser can't open the URL.
 */
export function requireUrl(url: string): string {
  const protocol = URL.canParse(requireText(url, 'url')) ? new URL(url).protocol : '';
  if (url !== '' && protocol !== 'https:' && protocol !== 'http:') {
    throw invalid('url: must be empty or an address that begins with https:// or http://');
  }
  return url;
}

/**
 * Validates a long description.
 * @throws InvalidArgument if it is too long for the store.
 */
export function requireMarkdown(text: string, field: string): string {
  if (text.length > MAX_MARKDOWN_LENGTH) {
    throw invalid(`${field}: must not be longer than ${String(MAX_MARKDOWN_LENGTH)} characters`);
  }
  if (text.includes('\0')) {
    throw invalid(`${field}: must not contain the character U+0000`);
  }
  return text;
}

/**
 * Rejects a new version that differs from an existing version only in build metadata. These
 * versions have no defined order, so "latest" would be ambiguous. Builds for more platforms can be
 * added to an existing version.
 * @throws InvalidArgument
 */
export async function requireVersionOrder(
  access: StoreAccess,
  itemId: string,
  version: string,
): Promise<void> {
  const versions = (await listVersionSummaries(access, [itemId])).map((one) => one.version);
  const other = versions.includes(version) ? undefined : findSameVersion(version, versions);
  if (other === undefined) return;
  throw invalid(
    `version: ${version} differs from ${other} only in build metadata: upload another version`,
  );
}
