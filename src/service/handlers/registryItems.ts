import {
  create,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toJsonString,
} from '@bufbuild/protobuf';
import { getOwn } from '../../base/getOwn';
import { findSameVersion } from '../../core/model/semanticVersion';
import {
  type App,
  MLModelMetadataSchema,
  MLTrainingMetadataSchema,
  type Model,
  type ModuleMetadata,
  RegistryItemStatus,
  Visibility,
} from '../../gen/viam/app/v1/registry_pb';
import { isMember } from '../auth/authorizer';
import { type Principal } from '../auth/principal';
import { grantsPermission } from '../auth/permissions';
import { type Permission } from '../auth/permissions';
import { invalid, notFound, permissionDenied } from '../errors';
import { listVersionSummaries } from '../store/packages';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import type { StoreAccess } from '../store/store';
import { requireName, requireText } from './handlerSupport';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import type { RegistryItemRow } from '../store/registrySchema';
import { ModelFramework, ModelType } from '../../gen/viam/app/mltraining/v1/ml_training_pb';

const ITEM_NAME = /^[A-Za-z0-9_-]+$/;
const MAX_MARKDOWN_LENGTH = 200_000;

/** Returns the organizations on which a caller has a role that grants a permission. */
export function organizationsWith(principal: Principal, permission: Permission): string[] {
  return principal.grants
    .filter((grant) => grant.resourceType === 'organization' && grantsPermission(grant, permission))
    .map((grant) => grant.resourceId);
}

/** Returns true if a caller who knows an item's ID can read the item. */
export function canReadItem(principal: Principal, item: RegistryItemWithOwner): boolean {
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
  if (item === undefined || !canReadItem(principal, item)) throw notFound(kind, itemId);
  return item;
}

/**
 * Returns a filter for the IDs of organizations that an item's description lists. Members of the
 * item's organization see all of them; other callers see only their own.
 */
export function toOrganizationFilter(
  principal: Principal,
  item: Pick<RegistryItemRow, 'organization_id'>,
): (organizationId: string) => boolean {
  const isOwn = isMember(principal, item.organization_id);
  return (id) => isOwn || isMember(principal, id);
}

/** Returns the permission that is required to write an item with a given visibility. */
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
 * Validates a new item's name.
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
  if (text.includes('\0')) throw invalid(`${field}: must not contain the character U+0000`);
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

const TRIPLET = /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/;
const APP_NAME = /^[A-Za-z0-9_-]+$/;
const APP_TYPES = ['single_machine', 'multi_machine'] as const;
const MAX_METADATA_LENGTH = 1024 * 1024;

/** @throws NotFound if the item with this ID is not a module. */
export function requireModule({ type }: Pick<RegistryItemRow, 'type'>, moduleId: string): void {
  if ((type as PackageType) !== PackageType.MODULE) throw notFound('module', moduleId);
}

/**
 * Validates a module's entrypoint, models, and apps.
 * @throws InvalidArgument with a description of the first error.
 */
export function checkModule(module: Pick<ModuleMetadata, 'entrypoint' | 'models' | 'apps'>): void {
  if (module.entrypoint.trim() === '') {
    throw invalid('entrypoint: must not be empty: specify the executable that starts the module');
  }
  for (const [index, model] of module.models.entries()) {
    checkModel(model, `models[${String(index)}]`);
  }
  const names = new Set<string>();
  for (const [index, app] of module.apps.entries()) {
    const path = `apps[${String(index)}]`;
    checkApp(app, path);
    if (names.has(app.name)) throw invalid(`${path}.name: "${app.name}" is used twice`);
    names.add(app.name);
  }
}

function checkModel({ api, model, markdownDocumentation = '' }: Model, path: string): void {
  if (!TRIPLET.test(api)) {
    throw invalid(`${path}.api: must be namespace:type:subtype, such as rdk:component:base`);
  }
  if (!TRIPLET.test(model)) {
    throw invalid(`${path}.model: must be namespace:family:name, such as acme:wheels:fast`);
  }
  requireMarkdown(markdownDocumentation, `${path}.markdown_documentation`);
}

function checkApp({ name, type, entrypoint }: App, path: string): void {
  if (!APP_NAME.test(name)) {
    throw invalid(`${path}.name: must consist of letters, digits, dashes, and underscores`);
  }
  if (!APP_TYPES.some((known) => known === type)) {
    throw invalid(`${path}.type: must be ${APP_TYPES.join(' or ')}`);
  }
  if (entrypoint.trim() === '' || entrypoint.startsWith('/') || hasParentSegment(entrypoint)) {
    throw invalid(`${path}.entrypoint: must be the path of a file inside the module`);
  }
}

function hasParentSegment(path: string): boolean {
  return path.split(/[/\\]/).includes('..');
}

/**
 * Returns an item's metadata as the string to store.
 * @throws InvalidArgument if the metadata is too large for a list.
 */
export function serializeMetadata<Desc extends DescMessage>(
  schema: Desc,
  metadata: MessageShape<Desc>,
): string {
  const text = toJsonString(schema, metadata);
  if (text.length > MAX_METADATA_LENGTH) throw invalid('metadata: must not be larger than 1 MiB');
  return text;
}

/** Fields of a new item that its first upload specifies. */
type DescribedItem = Pick<RegistryItemRow, 'visibility' | 'status' | 'url' | 'metadata'>;

const VISIBILITIES: Readonly<Record<string, Visibility>> = {
  private: Visibility.PRIVATE,
  public: Visibility.PUBLIC,
  public_unlisted: Visibility.PUBLIC_UNLISTED,
};

/**
 * Returns an item based on its first upload's metadata. Missing fields get the defaults of a
 * private item.
 * @throws InvalidArgument if the metadata has invalid values.
 */
export function describedItem(type: PackageType, metadata: JsonObject = {}): DescribedItem {
  const draft = metadata.draft ?? false;
  if (typeof draft !== 'boolean') throw invalid('metadata.draft: must be true or false');
  const named = getMetadataText(metadata, 'visibility') || 'private';
  const visibility = getOwn(VISIBILITIES, named);
  if (visibility === undefined) {
    throw invalid(`metadata.visibility: must be one of ${Object.keys(VISIBILITIES).join(', ')}`);
  }
  return {
    visibility,
    status: draft ? RegistryItemStatus.IN_DEVELOPMENT : RegistryItemStatus.PUBLISHED,
    url: requireUrl(getMetadataText(metadata, 'url')),
    metadata: typeMetadata(type, metadata, draft),
  };
}

function typeMetadata(type: PackageType, metadata: JsonObject, draft: boolean): string {
  const modelType = getEnumValue(ModelType, metadata, 'model_type');
  const modelFramework = getEnumValue(ModelFramework, metadata, 'model_framework');
  const model = { modelType, modelFramework };
  switch (type) {
    case PackageType.ML_MODEL:
      return serializeMetadata(MLModelMetadataSchema, create(MLModelMetadataSchema, model));
    case PackageType.ML_TRAINING:
      return serializeMetadata(
        MLTrainingMetadataSchema,
        create(MLTrainingMetadataSchema, { ...model, draft }),
      );
    default:
      return '{}';
  }
}

function getMetadataText(metadata: JsonObject, key: string): string {
  const value: JsonValue = metadata[key] ?? '';
  if (typeof value !== 'string') throw invalid(`metadata.${key}: must be text`);
  return value;
}

/**
 * Returns an enum value, which clients specify in lowercase. Returns the unspecified value if
 * clients omit it.
 */
function getEnumValue<Value extends number>(
  values: Readonly<Record<string, Value | string>>,
  metadata: JsonObject,
  key: string,
): Value {
  const name = getMetadataText(metadata, key).toUpperCase() || 'UNSPECIFIED';
  const value = getOwn(values, name);
  if (typeof value !== 'number') {
    const known = Object.keys(values).filter((candidate) => !/^\d/.test(candidate));
    throw invalid(`metadata.${key}: must be one of ${known.join(', ').toLowerCase()}`);
  }
  return value;
}
