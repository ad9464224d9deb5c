import { findSameVersion } from '../../core/model/semanticVersion';
import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { confers, type Permission } from '../auth/permissions';
import type { Principal } from '../auth/principal';
import { invalid, notFound, permissionDenied } from '../errors';
import { listVersionSummaries } from '../store/packages';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import type { StoreAccess } from '../store/store';
import { requireName, requireText } from './handlerSupport';

const ITEM_NAME = /^[A-Za-z0-9_-]+$/;
const MAX_MARKDOWN_LENGTH = 200_000;

/** The organizations in which a caller holds a role that confers a permission on all of them. */
export function organizationsWith(principal: Principal, permission: Permission): string[] {
  return principal.grants
    .filter((grant) => grant.resourceType === 'organization' && confers(grant, permission))
    .map((grant) => grant.resourceId);
}

/** Whether a caller may read an item whose id it knows. */
export function mayReadItem(principal: Principal, item: RegistryItemWithOwner): boolean {
  return (
    (item.visibility as Visibility) !== Visibility.PRIVATE ||
    organizationsWith(principal, 'read_private_registry_item').includes(item.organization_id)
  );
}

/**
 * The item with an id, `namespace:name` or `organization_id:name`.
 * @param kind what the caller asks for, for the message.
 * @throws NotFound when there is none, or the caller may not read it.
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

/** The permission that it takes to write an item of a visibility. */
export function writingNeeds(visibility: number): Permission {
  return (visibility as Visibility) === Visibility.PRIVATE
    ? 'write_private_registry_item'
    : 'write_public_registry_item';
}

/**
 * Checks that a caller may change an item that it may read: what is public, or becomes so, takes
 * another permission than what stays within the organization.
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
 * The name of a new item.
 * @throws InvalidArgument when it is empty or could not stand in an id.
 */
export function requireItemName(name: string, field = 'name'): string {
  if (!ITEM_NAME.test(requireName(name, field))) {
    throw invalid(`${field}: must consist of letters, digits, dashes, and underscores`);
  }
  return name;
}

/**
 * Where documentation and code are; empty for nowhere.
 * @throws InvalidArgument when it is no address a browser opens.
 */
export function requireUrl(url: string): string {
  const protocol = URL.canParse(requireText(url, 'url')) ? new URL(url).protocol : '';
  if (url !== '' && protocol !== 'https:' && protocol !== 'http:') {
    throw invalid('url: must be empty or an address that begins with https:// or http://');
  }
  return url;
}

/** A long description. @throws InvalidArgument when it is too long for the store. */
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
 * Rejects a new version that differs from another only in build metadata: they have no order, and "latest" would mean
 * either of them. Builds for more platforms can be added to a version that is there.
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
