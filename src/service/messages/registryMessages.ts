import {
  clone,
  create,
  type DescMessage,
  fromJsonString,
  type MessageShape,
  toJsonString,
} from '@bufbuild/protobuf';
import {
  type MLModelMetadata,
  MLModelMetadataSchema,
  type MLTrainingMetadata,
  MLTrainingMetadataSchema,
  type Model,
  ModelSchema,
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
import type { RegistryItemWithOwner } from '../store/registry';
import { NOT_USED, type RegistryUse } from '../store/registryUses';
import type { RegistryItemRow } from '../store/schema';

/** The id of an item as the service gives it: by namespace if its organization has one. */
export function itemIdOf(
  row: Pick<RegistryItemWithOwner, 'organization_id' | 'public_namespace' | 'name'>,
): string {
  return `${row.public_namespace ?? row.organization_id}:${row.name}`;
}

/** What an answer adds to the row of an item. */
export interface ItemDetails {
  use?: RegistryUse | undefined;
  /** Whether the long descriptions are asked for. */
  withMarkdown: boolean;
}

/** The wire form of a registry item. */
export function registryItemMessage(
  row: RegistryItemWithOwner,
  details: ItemDetails,
): RegistryItem {
  const { use = NOT_USED } = details;
  return create(RegistryItemSchema, {
    itemId: itemIdOf(row),
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
    metadata: metadataOf(row, details),
    createdAt: timestampFromMicros(row.created_at),
    updatedAt: timestampFromMicros(row.updated_at),
    ...(row.billing !== null && {
      billing: fromJsonString(RegistryItemBillingSchema, row.billing),
    }),
  });
}

/** The wire form of an item that is a module, as the module methods show it. */
export function moduleMessage(row: RegistryItemWithOwner, details: ItemDetails): Module {
  const { use = NOT_USED } = details;
  const { models, entrypoint, firstRun, apps, markdownDescription } = moduleMetadataOf(
    row,
    details,
  );
  return create(ModuleSchema, {
    moduleId: itemIdOf(row),
    name: row.name,
    visibility: row.visibility,
    url: row.url,
    description: row.description,
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

function metadataOf(row: RegistryItemWithOwner, details: ItemDetails): RegistryItem['metadata'] {
  switch (row.type as PackageType) {
    case PackageType.MODULE:
      return { case: 'moduleMetadata', value: moduleMetadataOf(row, details) };
    case PackageType.ML_MODEL:
      return { case: 'mlModelMetadata', value: storedModel(row) };
    case PackageType.ML_TRAINING:
      return { case: 'mlTrainingMetadata', value: storedTraining(row) };
    default:
      return { case: undefined };
  }
}

function moduleMetadataOf(
  row: RegistryItemWithOwner,
  { withMarkdown }: ItemDetails,
): ModuleMetadata {
  const stored = storedModule(row);
  return create(ModuleMetadataSchema, {
    ...stored,
    models: withMarkdown ? stored.models : stored.models.map(withoutMarkdown),
    ...(withMarkdown &&
      row.markdown_description !== null && { markdownDescription: row.markdown_description }),
  });
}

function withoutMarkdown(model: Model): Model {
  const brief = clone(ModelSchema, model);
  delete brief.markdownDocumentation;
  return brief;
}

/** What is stored of a module beyond the columns of its row. */
export function storedModule(row: RegistryItemRow): ModuleMetadata {
  return read(ModuleMetadataSchema, row);
}

function storedModel(row: RegistryItemRow): MLModelMetadata {
  return read(MLModelMetadataSchema, row);
}

function storedTraining(row: RegistryItemRow): MLTrainingMetadata {
  return read(MLTrainingMetadataSchema, row);
}

function read<Desc extends DescMessage>(schema: Desc, row: RegistryItemRow): MessageShape<Desc> {
  return fromJsonString(schema, row.metadata, { ignoreUnknownFields: true });
}

/** The stored text of what an item costs. */
export function billingText(billing: RegistryItemBilling): string {
  return toJsonString(RegistryItemBillingSchema, billing);
}
