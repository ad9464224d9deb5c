import type { Localizer } from '../../base/localizer';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListPackagesRequestSchema } from '../../gen/viam/app/packages/v1/packages_pb';
import type {
  AppSchema,
  ListRegistryItemsRequestSchema,
  ModelSchema,
  UpdateModuleRequestSchema,
  UpdateRegistryItemRequestSchema,
} from '../../gen/viam/app/v1/registry_pb';
import { FleetError } from '../api/errors';
import type { OrganizationId, RegistryItemId } from '../model/ids';
import type {
  KnownItemType,
  ModelFramework,
  ModelKind,
  ModelTask,
  ModuleApp,
  ModuleModel,
  RegistryItem,
  RegistryItemStatus,
} from '../model/registryItem';
import {
  ITEM_STATUSES,
  ITEM_TYPES,
  ITEM_VISIBILITIES,
  MODEL_FRAMEWORKS,
  MODEL_TASKS,
} from '../model/registryWire';
import type { KnownVisibility } from '../model/entities';

/** Parameters for a registry search. An absent or empty list matches everything. */
export interface RegistrySearch {
  /** Words that must all occur in an item's ID, description, or models. */
  readonly searchText?: string | undefined;
  readonly types?: readonly KnownItemType[] | undefined;
  readonly platforms?: readonly string[] | undefined;
  readonly visibilities?: readonly KnownVisibility[] | undefined;
  readonly statuses?: readonly RegistryItemStatus[] | undefined;
  /** `next` of the previous page; absent for the first page. */
  readonly after?: RegistryItemId | undefined;
}

/** Complete data for a module. The service clears fields that are missing here. */
export interface ModuleUpdate {
  /**
   * Visibility of the module. Must not be omitted, because a public module would become private.
   */
  readonly visibility: KnownVisibility;
  readonly url: string;
  readonly description: string;
  readonly models: readonly ModuleModel[];
  /** Executable that starts the module; required. */
  readonly entrypoint: string;
  readonly firstRun?: string | undefined;
  readonly apps?: readonly ModuleApp[] | undefined;
  readonly markdown?: string | undefined;
}

/** Changes to an item of any type. Absent fields remain unchanged. */
export interface ItemUpdate {
  readonly visibility?: KnownVisibility | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly markdown?: string | undefined;
  /** Task and format; only for models and training scripts. */
  readonly modelKind?: ModelKind | undefined;
  /** True for a draft; only for training scripts. */
  readonly isDraft?: boolean | undefined;
}

/** Filter for archives. Absent fields match everything. */
export interface PackageFilter {
  /** Name of the registry item. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly type?: KnownItemType | undefined;
}

export function searchRequest(
  query: RegistrySearch,
): MessageInitShape<typeof ListRegistryItemsRequestSchema> {
  const { searchText: words = '', types = [], visibilities = [], statuses = [], after } = query;
  return {
    types: types.map((type) => ITEM_TYPES[type]),
    visibilities: visibilities.map((visibility) => ITEM_VISIBILITIES[visibility]),
    platforms: [...(query.platforms ?? [])],
    statuses: statuses.map((status) => ITEM_STATUSES[status]),
    ...(words.trim() !== '' && { searchTerm: words.trim() }),
    ...(after !== undefined && { pageToken: after }),
  };
}

export function moduleUpdateRequest(
  id: RegistryItemId,
  update: ModuleUpdate,
): MessageInitShape<typeof UpdateModuleRequestSchema> {
  const { url, description, entrypoint, firstRun, markdown } = update;
  return {
    moduleId: id,
    visibility: ITEM_VISIBILITIES[update.visibility],
    url,
    description,
    entrypoint,
    models: update.models.map(modelToWire),
    apps: (update.apps ?? []).map(appToWire),
    ...(firstRun !== undefined && { firstRun }),
    ...(markdown !== undefined && { markdownDescription: markdown }),
  };
}

/**
 * Creates the request for an update.
 * @param item the item's current state, which is required because the service makes the item
 *   private if an update omits the visibility, and clears other omitted fields
 * @throws FleetError `unsupported` if the visibility must remain unchanged but is unknown to this
 *   client
 */
export function itemUpdateRequest(
  item: Pick<RegistryItem, 'id' | 'type' | 'visibility' | 'description' | 'modelKind' | 'isDraft'>,
  update: ItemUpdate,
  l10n: Localizer,
): MessageInitShape<typeof UpdateRegistryItemRequestSchema> {
  const { visibility = item.visibility, description = item.description, url, markdown } = update;
  if (visibility === 'unknown') {
    throw new FleetError(
      'unsupported',
      l10n.t(
        "This version of Fleetwright doesn't know the visibility of the item. Change it in the program that set it.",
      ),
    );
  }
  const metadata = typeMetadata(item, update);
  return {
    itemId: item.id,
    type: item.type === 'unknown' ? 0 : ITEM_TYPES[item.type],
    visibility: ITEM_VISIBILITIES[visibility],
    description,
    ...(url !== undefined && { url }),
    ...(markdown !== undefined && { markdownDescription: markdown }),
    ...(metadata && { metadata }),
  };
}

/**
 * Returns the fields for the item's type. A training script's fields are always sent, because a
 * service other than ours, or an older one, might otherwise treat a draft as published.
 */
function typeMetadata(
  item: Pick<RegistryItem, 'type' | 'modelKind' | 'isDraft'>,
  update: ItemUpdate,
): MessageInitShape<typeof UpdateRegistryItemRequestSchema>['metadata'] {
  const kind = update.modelKind ?? item.modelKind;
  if (!kind) return undefined;
  const value = modelKindToWire(kind);
  if (item.type === 'mlModel') return { case: 'updateMlModelMetadata', value };
  if (item.type !== 'trainingScript') return undefined;
  const draft = update.isDraft ?? item.isDraft ?? false;
  return { case: 'updateMlTrainingMetadata', value: { ...value, draft } };
}

export function packagesRequest(
  organization: OrganizationId,
  { name, version, type }: PackageFilter,
): MessageInitShape<typeof ListPackagesRequestSchema> {
  return {
    organizationId: organization,
    includeUrl: true,
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(type !== undefined && { type: ITEM_TYPES[type] }),
  };
}

/** Converts a module's model for updates. */
function modelToWire(model: ModuleModel): MessageInitShape<typeof ModelSchema> {
  return {
    api: model.api,
    model: model.model,
    supportedHardware: [...(model.supportedHardware ?? [])],
    ...(model.description !== undefined && { description: model.description }),
    ...(model.markdown !== undefined && { markdownDocumentation: model.markdown }),
  };
}

/** Converts a module's app for updates. */
function appToWire(app: ModuleApp): MessageInitShape<typeof AppSchema> {
  const { heading, subheading } = app.machinePicker ?? {};
  return {
    name: app.name,
    type: app.type,
    entrypoint: app.entrypoint,
    fragmentIds: [...(app.fragmentIds ?? [])],
    ...(app.logoPath !== undefined && { logoPath: app.logoPath }),
    ...(app.machinePicker && {
      customizations: {
        machinePicker: {
          ...(heading !== undefined && { heading }),
          ...(subheading !== undefined && { subheading }),
        },
      },
    }),
    ...(app.allowedOrganizationIds && {
      allowedOrgIds: { ids: [...app.allowedOrganizationIds] },
    }),
  };
}

/** Converts a model's task and format to their numbers on the wire. */
function modelKindToWire({
  task,
  framework,
}: {
  readonly task: ModelTask;
  readonly framework: ModelFramework;
}) {
  return { modelType: MODEL_TASKS[task], modelFramework: MODEL_FRAMEWORKS[framework] };
}
