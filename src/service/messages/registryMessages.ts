import { create, fromJsonString, toJsonString } from '@bufbuild/protobuf';
import {
  type MLModelMetadata,
  MLModelMetadataSchema,
  MLModelVersionSchema,
  type MLTrainingMetadata,
  MLTrainingMetadataSchema,
  MLTrainingVersionSchema,
  type Module,
  type ModuleMetadata,
  ModuleMetadataSchema,
  ModuleSchema,
  type RegistryItem,
  type RegistryItemBilling,
  RegistryItemBillingSchema,
  RegistryItemSchema,
} from '../../gen/viam/app/v1/registry_pb';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { timestampFromMicros } from '../store/micros';
import { isUuid } from '../store/identifiers';
import type { RegistryItemWithOwner } from '../store/registry';
import { NOT_USED, type RegistryUse } from '../store/registryUses';
import type { RegistryItemRow } from '../store/registrySchema';
import {
  createModuleDescription,
  type ItemVersion,
  type ModuleVisibility,
  moduleVersion,
  readMetadata,
  versionHistory,
} from './packageMessages';

/**
 * Returns an item's ID in the service's format. The ID contains the organization's namespace if the
 * organization has one.
 */
export function getRegistryItemId(
  row: Pick<RegistryItemWithOwner, 'organization_id' | 'public_namespace' | 'name'>,
): string {
  return `${getItemOwner(row)}:${row.name}`;
}

/**
 * Returns the namespace or ID of an item's organization, whichever identifies the item. Older
 * versions of the service allowed namespaces that look like organization IDs. These can't identify
 * anything, because IDs take precedence.
 */
export function getItemOwner({
  organization_id: id,
  public_namespace: namespace,
}: Pick<RegistryItemWithOwner, 'organization_id' | 'public_namespace'>): string {
  return namespace === null || isUuid(namespace) ? id : namespace;
}

/** Data that a response contains in addition to an item's row. */
export interface ItemDetails extends ModuleVisibility {
  use?: RegistryUse | undefined;
  /** Versions, newest last. */
  versions: readonly ItemVersion[];
}

/** Returns a registry item's wire format. */
export function registryItemMessage(
  row: RegistryItemWithOwner,
  details: ItemDetails,
): RegistryItem {
  const { use = NOT_USED } = details;
  return create(RegistryItemSchema, {
    itemId: getRegistryItemId(row),
    organizationId: row.organization_id,
    publicNamespace: row.public_namespace ?? '',
    name: row.name,
    type: row.type,
    visibility: row.visibility,
    url: row.url,
    description: row.description,
    totalRobotUsage: BigInt(use.machines),
    totalExternalRobotUsage: BigInt(use.externalMachines),
    totalOrganizationUsage: BigInt(use.organizations),
    totalExternalOrganizationUsage: BigInt(use.externalOrganizations),
    metadata: toItemMetadata(row, details),
    createdAt: timestampFromMicros(row.created_at),
    updatedAt: timestampFromMicros(row.updated_at),
    ...(row.billing !== null && {
      billing: fromJsonString(RegistryItemBillingSchema, row.billing),
    }),
  });
}

/** Returns a module in the format that the module methods return. */
export function moduleMessage(row: RegistryItemWithOwner, details: ItemDetails): Module {
  const { use = NOT_USED } = details;
  const { models, entrypoint, firstRun, apps, markdownDescription } = toModuleMetadata(
    row,
    details,
  );
  return create(ModuleSchema, {
    moduleId: getRegistryItemId(row),
    name: row.name,
    visibility: row.visibility,
    url: row.url,
    description: row.description,
    versions: details.versions.map((version) => versionHistory(version, details)),
    models,
    totalRobotUsage: BigInt(use.machines),
    totalOrganizationUsage: BigInt(use.organizations),
    organizationId: row.organization_id,
    publicNamespace: row.public_namespace ?? '',
    entrypoint,
    apps,
    ...(firstRun !== undefined && { firstRun }),
    ...(markdownDescription !== undefined && { markdownDescription }),
  });
}

function toItemMetadata(
  row: RegistryItemWithOwner,
  details: ItemDetails,
): RegistryItem['metadata'] {
  switch (row.type as PackageType) {
    case PackageType.MODULE:
      return { case: 'moduleMetadata', value: toModuleMetadata(row, details) };
    case PackageType.ML_MODEL:
      return { case: 'mlModelMetadata', value: toModelMetadata(row, details) };
    case PackageType.ML_TRAINING:
      return { case: 'mlTrainingMetadata', value: toTrainingMetadata(row, details) };
    default:
      return { case: undefined };
  }
}

function toModuleMetadata(row: RegistryItemWithOwner, details: ItemDetails): ModuleMetadata {
  return create(ModuleMetadataSchema, {
    ...createModuleDescription(row, details),
    versions: details.versions.map((version) => moduleVersion(version, details)),
  });
}

function toModelMetadata(row: RegistryItemRow, { versions }: ItemDetails): MLModelMetadata {
  return create(MLModelMetadataSchema, {
    ...readMetadata(MLModelMetadataSchema, row),
    versions: versions.map(({ version }) => version),
    detailedVersions: versions.map((version) => create(MLModelVersionSchema, named(version))),
  });
}

function toTrainingMetadata(row: RegistryItemRow, { versions }: ItemDetails): MLTrainingMetadata {
  return {
    ...readMetadata(MLTrainingMetadataSchema, row),
    versions: versions.map((version) => create(MLTrainingVersionSchema, named(version))),
  };
}

function named({ version, created_at }: ItemVersion) {
  return { version, createdOn: timestampFromMicros(created_at) };
}

/** Returns an item's price as the string to store. */
export function serializeBilling(billing: RegistryItemBilling): string {
  return toJsonString(RegistryItemBillingSchema, billing);
}
