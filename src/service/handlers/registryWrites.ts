import { create } from '@bufbuild/protobuf';
import type { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import {
  type ModuleMetadata,
  ModuleMetadataSchema,
  RegistryItemStatus,
  type UpdateModuleMetadata,
  type UpdateModuleRequest,
  Visibility,
} from '../../gen/viam/app/v1/registry_pb';
import type { Principal } from '../auth/principal';
import { alreadyExists } from '../errors';
import { newId } from '../store/identifiers';
import { storedModule } from '../messages/packageMessages';
import {
  insertRegistryItem,
  type RegistryItemChanges,
  type RegistryItemWithOwner,
  replaceApps,
} from '../store/registry';
import { lockRow, type StoreAccess } from '../store/store';
import type { HandlerDependencies } from './handlerSupport';
import { checkModule, readableItem, requireItemName, serializeMetadata } from './registryItems';
import { getRegistryItemId } from '../messages/registryMessages';
import type { RegistryUser } from '../store/registryUses';

const NO_METADATA = '{}';

/**
 * Adds an item, by default a private item without a description.
 * @throws InvalidArgument if the name is not valid in an ID, AlreadyExists if the organization has
 *   an item of any type with that name.
 */
export async function createItem(
  dependencies: { store: StoreAccess; now: HandlerDependencies['now'] },
  organizationId: string,
  name: string,
  type: PackageType,
): Promise<void> {
  if (!(await ensureItem(dependencies, organizationId, name, type))) {
    throw alreadyExists(`name: the organization already has a registry item "${name}"`);
  }
}

/**
 * Creates a registry item unless the organization has an item of any type with this name.
 * @returns true if the item was created
 */
export async function ensureItem(
  { store, now }: { store: StoreAccess; now: HandlerDependencies['now'] },
  organizationId: string,
  name: string,
  type: PackageType,
  described: RegistryItemChanges = {},
): Promise<boolean> {
  const createdAt = now();
  return insertRegistryItem(store, {
    id: newId(),
    organization_id: organizationId,
    name: requireItemName(name),
    type,
    visibility: Visibility.PRIVATE,
    status: RegistryItemStatus.IN_DEVELOPMENT,
    url: '',
    description: '',
    markdown_description: null,
    metadata: NO_METADATA,
    billing: null,
    created_at: createdAt,
    updated_at: createdAt,
    ...described,
  });
}

/**
 * Runs an action with an item that is locked until the action completes. A failure rolls everything
 * back.
 * @throws the errors of `readableItem`.
 */
export async function withLockedItem(
  { store }: HandlerDependencies,
  principal: Principal,
  itemId: string,
  act: (access: StoreAccess, item: RegistryItemWithOwner) => Promise<void>,
  kind?: string,
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    const { id } = await readableItem(transaction, principal, itemId, kind);
    await lockRow(transaction, 'registry_items', id);
    await act(transaction, await readableItem(transaction, principal, itemId, kind));
  });
}

/**
 * Saves a module's apps and returns its new metadata as a string. Preserves fields that the change
 * doesn't contain. Must run in a transaction.
 * @throws InvalidArgument if the change is malformed, AlreadyExists if another module in the
 *   organization has an app with the same name.
 */
export async function writeModule(
  access: StoreAccess,
  item: RegistryItemWithOwner,
  change: UpdateModuleMetadata | UpdateModuleRequest,
): Promise<string> {
  checkModule(change);
  const taken = await replaceApps(
    access,
    item,
    change.apps.map(({ name }) => name),
  );
  if (taken !== undefined) {
    throw alreadyExists(`apps: another module of the organization already has an app "${taken}"`);
  }
  return serializeMetadata(ModuleMetadataSchema, changedModule(storedModule(item), change));
}

/**
 * Returns a module's changed metadata. UpdateModule sets the first run, and UpdateRegistryItem sets
 * the source. Each operation leaves the other field unchanged.
 */
function changedModule(
  stored: ModuleMetadata,
  change: UpdateModuleMetadata | UpdateModuleRequest,
): ModuleMetadata {
  const { models, entrypoint, apps } = change;
  const { firstRun, sourceType, language, minViamServerVersion } =
    change.$typeName === 'viam.app.v1.UpdateModuleRequest'
      ? { ...stored, firstRun: change.firstRun }
      : { ...change, firstRun: stored.firstRun };
  return create(ModuleMetadataSchema, {
    models,
    entrypoint,
    apps,
    ...(firstRun !== undefined && { firstRun }),
    ...(sourceType !== undefined && { sourceType }),
    ...(language !== undefined && { language }),
    ...(minViamServerVersion !== undefined && { minViamServerVersion }),
  });
}

const MAX_LISTED_NAMES = 5;

/**
 * Returns a sentence that explains why an item, or the given `subject`, can't be deleted; undefined
 * if it can be deleted. The sentence lists users in the item's organization by name, and only the
 * number of users in other organizations. Other organizations can't use a private item, so their
 * references don't prevent its deletion.
 */
export function describeDeletionBlockers(
  item: RegistryItemWithOwner,
  users: readonly RegistryUser[],
  subject = `registry item "${getRegistryItemId(item)}"`,
): string | undefined {
  const own = users.filter((user) => user.own);
  const others =
    (item.visibility as Visibility) === Visibility.PRIVATE ? 0 : users.length - own.length;
  if (own.length + others === 0) return undefined;
  const named = own.slice(0, MAX_LISTED_NAMES).map(({ kind, name }) => `${kind} "${name}"`);
  const unnamed = own.length - named.length;
  const parts = [
    ...named,
    ...(unnamed > 0 ? [`${String(unnamed)} more of this organization`] : []),
    ...(others > 0 ? [`${String(others)} of other organizations`] : []),
  ];
  return `${subject} is used by ${parts.join(', ')}: remove it from their configs first`;
}
