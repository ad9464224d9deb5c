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
import { storedModule } from '../messages/moduleVersions';
import {
  insertRegistryItem,
  type RegistryItemChanges,
  type RegistryItemWithOwner,
  replaceApps,
} from '../store/registry';
import { lockRow } from '../store/rowLocks';
import type { StoreAccess } from '../store/store';
import type { HandlerDependencies } from './handlerSupport';
import { checkModule, metadataText } from './moduleMetadata';
import { readableItem, requireItemName } from './registryItems';

const NO_METADATA = '{}';

/**
 * Adds an item: a private one that nothing is said about yet, unless `described` says something.
 * @throws InvalidArgument when the name could not stand in an id, AlreadyExists when the
 *   organization has an item of that name, of whatever type.
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
 * Makes a registry item unless the organization has one of this name, of whatever type.
 * @returns whether it made it
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
 * Does something with an item that stays as it is read until it is done, or does nothing of it.
 * @throws NotFound as `readableItem`.
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
 * Writes down the apps of a module and answers the text of its new metadata; what the change does
 * not speak of stays. Run it in a transaction.
 * @throws InvalidArgument when the change is malformed, AlreadyExists when another module of the
 *   organization has an app of that name.
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
  return metadataText(ModuleMetadataSchema, changedModule(storedModule(item), change));
}

/** UpdateModule speaks of the first run, UpdateRegistryItem of the source: each leaves the other. */
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
