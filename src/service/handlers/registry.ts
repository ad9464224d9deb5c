import { create, toBinary } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type ListRegistryItemsRequest,
  MLModelMetadataSchema,
  MLTrainingMetadataSchema,
  type RegistryItem,
  RegistryItemSchema,
  RegistryItemStatus,
  type UpdateRegistryItemRequest,
} from '../../gen/viam/app/v1/registry_pb';
import { platformsFor } from '../../core/model/packageNames';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { isMember } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import type { BlobCollector } from '../blobs/blobCollector';
import { failedPrecondition, invalid } from '../errors';
import { readMetadata } from '../messages/packageMessages';
import { registryItemMessage, serializeBilling } from '../messages/registryMessages';
import { listContentHashes } from '../store/packages';
import {
  deleteRegistryItem,
  findRegistryItem,
  listRegistryItems,
  type RegistryItemWithOwner,
  updateRegistryItem,
} from '../store/registry';
import type { RegistryItemRow } from '../store/registrySchema';
import { listRegistryUsers, listRegistryUses } from '../store/registryUses';
import type { StoreAccess } from '../store/store';
import { getCaller, type HandlerDependencies, requireText } from './handlerSupport';
import {
  canReadItem,
  organizationsWith,
  readableItem,
  requireMarkdown,
  requireUrl,
  requireWritable,
  serializeMetadata,
  toOrganizationFilter,
} from './registryItems';
import { loadVersions, loadWholeVersions } from './packageVersions';
import {
  createItem,
  describeDeletionBlockers,
  withLockedItem,
  writeModule,
} from './registryWrites';
import { ConfigBudget } from '../config/configRules';

type RegistryOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'getRegistryItem'
  | 'createRegistryItem'
  | 'updateRegistryItem'
  | 'listRegistryItems'
  | 'deleteRegistryItem'
>;

interface RegistryDependencies extends HandlerDependencies {
  collector: BlobCollector;
}

/**
 * Handlers for registry items: modules, models, training scripts, and other shared items (spec part
 * 3).
 */
export function registryHandlers(dependencies: RegistryDependencies): RegistryOperations {
  const { store } = dependencies;
  return {
    async getRegistryItem(request, context) {
      const principal = getCaller(context);
      const row = await readableItem(store, principal, request.itemId);
      const uses = await listRegistryUses(store, [row.id]);
      return {
        item: registryItemMessage(row, {
          use: uses.get(row.id),
          versions: await loadWholeVersions(store, row),
          withMarkdown: request.includeMarkdownDocumentation === true,
          canSeeOrganization: toOrganizationFilter(principal, row),
        }),
      };
    },

    async createRegistryItem({ organizationId, name, type }) {
      await createItem(dependencies, organizationId, name, type);
      return {};
    },

    async updateRegistryItem(request, context) {
      const principal = getCaller(context);
      await withLockedItem(dependencies, principal, request.itemId, async (access, item) => {
        requireWritable(principal, item, request.visibility);
        await update(access, item, request);
      });
      return {};
    },

    async listRegistryItems(request, context) {
      const principal = getCaller(context);
      const rows = await listRegistryItems(store, {
        organizationId: request.organizationId || undefined,
        readableOrganizationIds: organizationsWith(principal, 'read_private_registry_item'),
        after: await findPageEnd(request.pageToken ?? '', principal),
      });
      const uses = await listRegistryUses(
        store,
        rows.map(({ id }) => id),
      );
      const versions = await loadVersions(store, rows);
      const withMarkdown = request.includeMarkdownDocumentation === true;
      const items = rows.flatMap((row) => {
        const ownVersions = versions.get(row.id) ?? [];
        const item = registryItemMessage(row, {
          use: uses.get(row.id),
          versions: ownVersions,
          withMarkdown,
          canSeeOrganization: toOrganizationFilter(principal, row),
        });
        const platforms = ownVersions.flatMap(({ files }) => files.map(({ platform }) => platform));
        return matches(item, { status: row.status, platforms }, request) ? [item] : [];
      });
      return { items: withinBudget(items, (item) => isMember(principal, item.organizationId)) };
    },

    async deleteRegistryItem(request, context) {
      const principal = getCaller(context);
      let contents: string[] = [];
      await withLockedItem(dependencies, principal, request.itemId, async (access, item) => {
        requireWritable(principal, item);
        const users = await listRegistryUsers(access, item.id);
        const obstacle = describeDeletionBlockers(item, users);
        if (obstacle !== undefined) throw failedPrecondition(obstacle);
        contents = await listContentHashes(access, item.id);
        await deleteRegistryItem(access, item.id);
      });
      await dependencies.collector.collect(contents);
      return {};
    },
  };

  async function update(
    access: StoreAccess,
    item: RegistryItemWithOwner,
    request: UpdateRegistryItemRequest,
  ): Promise<void> {
    if (request.type !== (item.type as PackageType)) {
      throw invalid(
        `type: the item has the type ${PackageType[item.type] ?? String(item.type)}, which can't be changed`,
      );
    }
    const metadata = await newMetadata(access, item, request.metadata);
    const isDraft = isDraftScript({ ...item, ...(metadata !== undefined && { metadata }) });
    await updateRegistryItem(access, item.id, {
      visibility: request.visibility,
      status: isDraft ? RegistryItemStatus.IN_DEVELOPMENT : RegistryItemStatus.PUBLISHED,
      description: requireText(request.description, 'description'),
      updated_at: dependencies.now(),
      ...(request.url !== undefined && { url: requireUrl(request.url) }),
      ...(metadata !== undefined && { metadata }),
      ...(request.markdownDescription !== undefined && {
        markdown_description: requireMarkdown(request.markdownDescription, 'markdown_description'),
      }),
      ...(request.billing !== undefined && { billing: serializeBilling(request.billing) }),
    });
  }

  /**
   * Returns the last item of the previous page; undefined for the first page. Responses contain no
   * token. Clients use the ID of the last item that they received as the token. The item might no
   * longer be in the list, for example because it has become unlisted.
   */
  async function findPageEnd(
    token: string,
    principal: Principal,
  ): Promise<RegistryItemWithOwner | undefined> {
    if (token === '') return undefined;
    const [owner = '', ...name] = token.split(':');
    const last = await findRegistryItem(store, owner, name.join(':'));
    if (last === undefined || !canReadItem(principal, last)) {
      throw invalid('page_token: must be the item_id of the last item of the previous page');
    }
    return last;
  }
}

/** Returns true if an item is a training script that isn't ready to be used yet. */
function isDraftScript(item: Pick<RegistryItemRow, 'type' | 'metadata'>): boolean {
  return (
    (item.type as PackageType) === PackageType.ML_TRAINING &&
    readMetadata(MLTrainingMetadataSchema, item).draft
  );
}

/**
 * Returns the metadata in a request as a string; undefined if the request contains no metadata.
 * @throws InvalidArgument if the metadata belongs to another type of item.
 */
async function newMetadata(
  access: StoreAccess,
  item: RegistryItemWithOwner,
  metadata: UpdateRegistryItemRequest['metadata'],
): Promise<string | undefined> {
  const requireType = (type: PackageType): void => {
    if ((item.type as PackageType) !== type) {
      throw invalid(`metadata: is for ${PackageType[type]}, which is not the type of the item`);
    }
  };
  switch (metadata.case) {
    case 'updateModuleMetadata':
      requireType(PackageType.MODULE);
      return writeModule(access, item, metadata.value);
    case 'updateMlModelMetadata': {
      requireType(PackageType.ML_MODEL);
      const { modelType, modelFramework } = metadata.value;
      return serializeMetadata(
        MLModelMetadataSchema,
        create(MLModelMetadataSchema, { modelType, modelFramework }),
      );
    }
    case 'updateMlTrainingMetadata': {
      requireType(PackageType.ML_TRAINING);
      const { modelType, modelFramework, draft } = metadata.value;
      return serializeMetadata(
        MLTrainingMetadataSchema,
        create(MLTrainingMetadataSchema, { modelType, modelFramework, draft }),
      );
    }
    default:
      return undefined;
  }
}

const MEBIBYTE = 1024 * 1024;
/**
 * Maximum total size of metadata. A message is limited to 64 MiB. The remainder is reserved for
 * items without metadata.
 */
const LIMITS = { own: 20 * MEBIBYTE, others: 28 * MEBIBYTE };

/**
 * Omits the metadata for items that exceed a list's size limit, so that an organization that
 * publishes too much can't break the list for other organizations. GetRegistryItem returns each
 * item in full.
 * @param isOwn returns true if the caller belongs to an item's organization.
 */
export function withinBudget(
  items: readonly RegistryItem[],
  isOwn: (item: RegistryItem) => boolean,
): RegistryItem[] {
  const budget = new ConfigBudget(LIMITS);
  return items.map((item) => {
    const bytes = toBinary(RegistryItemSchema, item).byteLength;
    if (budget.tryConsume(isOwn(item) ? 'own' : 'others', bytes)) return item;
    const brief: RegistryItem = { ...item, metadata: { case: undefined } };
    delete brief.billing;
    return brief;
  });
}

/**
 * Returns true if an item matches a filter. An empty list disables the filter for its field (spec
 * part 3, ListRegistryItems).
 */
function matches(
  item: RegistryItem,
  { status, platforms }: { status: RegistryItemStatus; platforms: readonly string[] },
  request: ListRegistryItemsRequest,
): boolean {
  const module = item.metadata.case === 'moduleMetadata' ? item.metadata.value : undefined;
  return (
    accepts(request.types, [item.type]) &&
    accepts(request.visibilities, [item.visibility]) &&
    accepts(request.statuses, [status]) &&
    accepts(request.platforms.filter(Boolean).flatMap(platformsFor), platforms) &&
    accepts(request.publicNamespaces, [item.publicNamespace]) &&
    accepts(request.moduleSourceTypes, [module?.sourceType]) &&
    accepts(request.moduleLanguages, [module?.language]) &&
    isFound(item, request.searchTerm ?? '')
  );
}

/**
 * Returns true if a filter accepts a value. Clients send an empty or unspecified value to disable
 * the filter.
 */
function accepts<T extends string | number>(
  accepted: readonly T[],
  values: readonly (T | undefined)[],
): boolean {
  const real = accepted.filter((value) => value !== '' && value !== 0);
  return real.length === 0 || values.some((value) => value !== undefined && real.includes(value));
}

/**
 * Returns true if every word of the term occurs in the name, the namespace, the description, or a
 * model, ignoring case. A word also matches if it is the item's entire ID, but not if it is a part
 * of the organization's ID, because random digits contain many short words.
 */
function isFound(item: RegistryItem, term: string): boolean {
  const { name, organizationId, publicNamespace } = item;
  const models = item.metadata.case === 'moduleMetadata' ? item.metadata.value.models : [];
  const text = [
    publicNamespace === '' ? name : `${publicNamespace}:${name}`,
    item.description,
    ...models.flatMap(({ api, model }) => [api, model]),
  ]
    .join('\n')
    .toLowerCase();
  const ownId = `${organizationId}:${name}`.toLowerCase();
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || word === ownId);
}
