import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { create } from '@bufbuild/protobuf';
import { platformsFor } from '../../core/model/packageNames';
import { LATEST } from '../../core/model/versionPin';
import {
  type PackageInfo,
  PackageInfoSchema,
  type PackageService,
  PackageType,
} from '../../gen/viam/app/packages/v1/packages_pb';
import { ConfigBudget } from '../config/configRules';
import { failedPrecondition, invalid, notFound, permissionDenied } from '../errors';
import { getPackageId, packageMessage, serializeContents } from '../messages/packageMessages';
import {
  deleteVersion,
  listContentHashes,
  listPackageFiles,
  listPackageInfos,
  listVersionSummaries,
  type PackageFileSummary,
} from '../store/packages';
import { findRegistryItem, listRegistryItems, type RegistryItemWithOwner } from '../store/registry';
import { lockRow, type StoreAccess } from '../store/store';
import { getCaller, requireRules } from './handlerSupport';
import { inOrder, readablePackage } from './packageVersions';
import { packageContentPath } from './contentRoute';
import {
  ANY_PLATFORM,
  type ArchiveTarget,
  type PackageDependencies,
  storeArchive,
} from './packageUploads';
import {
  describedItem,
  organizationsWith,
  requireItemName,
  requireVersionOrder,
  requireWritable,
  writingNeeds,
} from './registryItems';
import { UploadStream } from './uploadStream';
import { parseRegistryReferences } from '../../core/fragments/registryReferences';
import { getRegistryItemId } from '../messages/registryMessages';
import { listNamingConfigs } from '../store/registryUses';
import { describeDeletionBlockers, ensureItem } from './registryWrites';
import { ModuleFileInfoSchema } from '../../gen/viam/app/v1/registry_pb';
import { requirePermission } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { checkJson, checkJsonSize } from '../config/jsonLimits';
import { dateFromMicros } from '../store/micros';

type PackageOperations = ServiceImpl<typeof PackageService>;

/**
 * Handlers for versions of training scripts, models, modules, and other packages (wire:
 * PackageService).
 */
export function packageHandlers(dependencies: PackageDependencies): PackageOperations {
  const { store, collector } = dependencies;
  return {
    async createPackage(requests, context) {
      const stream = await UploadStream.begin(requests, 'info', context);
      const info = stream.head(({ package: sent }) =>
        sent.case === 'info' ? sent.value : undefined,
      );
      const content = stream.readChunks(({ package: sent }) =>
        sent.case === 'contents' ? sent.value : undefined,
      );
      return createPackage(dependencies, info, content, context);
    },

    async getPackage(request, context) {
      const { id, version, type = PackageType.UNSPECIFIED, platform = '' } = request;
      const item = await readablePackage(store, getCaller(context), id, type);
      const files = inOrder(item, await listPackageFiles(store, [item.id]));
      const file = findNewest(files, version, platform);
      if (file === undefined) {
        throw notFound('package', [id, version, platform].filter(Boolean).join(' '));
      }
      const infos = await listPackageInfos(store, [file.id]);
      const url = getUrl(file, request.includeUrl);
      return { package: packageMessage(item, file, infos.get(file.id), url) };
    },

    async listPackages({ organizationId, name, version, type, includeUrl }) {
      const items = (
        await listRegistryItems(store, {
          organizationId,
          readableOrganizationIds: [organizationId],
        })
      ).filter(
        (item) =>
          (name === undefined || item.name === name) &&
          (!type || (item.type as PackageType) === type),
      );
      const files = Map.groupBy(
        await listPackageFiles(
          store,
          items.map(({ id }) => id),
        ),
        ({ item_id }) => item_id,
      );
      const packages = items.flatMap((item) =>
        inOrder(item, files.get(item.id) ?? [])
          .filter((file) => version === undefined || file.version === version)
          .map((file) => ({ item, file })),
      );
      const infos = await listPackageInfos(store, withinBudget(packages.map(({ file }) => file)));
      return {
        packages: packages.map(({ item, file }) =>
          packageMessage(item, file, infos.get(file.id), getUrl(file, includeUrl)),
        ),
      };
    },

    async deletePackage({ id, version, type }, context) {
      const principal = getCaller(context);
      let contents: string[] = [];
      const read = (access: StoreAccess) => readablePackage(access, principal, id, type);
      await store.transaction().execute(async (transaction) => {
        const item = await read(transaction);
        if (!organizationsWith(principal, 'delete_packages').includes(item.organization_id)) {
          throw permissionDenied('delete_packages', 'organization', item.organization_id);
        }
        requireWritable(principal, item);
        await lockRow(transaction, 'registry_items', item.id);
        contents = await listContentHashes(transaction, item.id, version);
        if (contents.length === 0) throw notFound('package', `${id} ${version}`);
        const obstacle = await findVersionUse(transaction, await read(transaction), version);
        if (obstacle !== undefined) throw failedPrecondition(obstacle);
        await deleteVersion(transaction, item.id, version);
      });
      await collector.collect(contents);
      return {};
    },
  };

  function getUrl({ id }: PackageFileSummary, includesUrl = false): string {
    return includesUrl ? dependencies.pageUrl(packageContentPath(id)) : '';
  }
}

/**
 * Returns the newest archive that matches a version and a platform. If there is more than one,
 * prefers the most suitable platform.
 */
function findNewest(
  files: readonly PackageFileSummary[],
  version: string,
  platform: string,
): PackageFileSummary | undefined {
  const platforms = platform === '' ? undefined : platformsFor(platform);
  const suited = files.filter(
    (file) =>
      (version === '' || version === LATEST || file.version === version) &&
      (platforms === undefined || platforms.includes(file.platform)),
  );
  const newest = suited.at(-1)?.version;
  const rank = (file: PackageFileSummary): number => platforms?.indexOf(file.platform) ?? 0;
  return suited
    .filter((file) => file.version === newest)
    .sort((left, right) => rank(left) - rank(right))[0];
}

/** Returns the IDs of the archives whose content descriptions fit into a list. */
function withinBudget(files: readonly PackageFileSummary[]): string[] {
  const budget = new ConfigBudget();
  return files.filter((file) => budget.tryConsume('own', file.info_length)).map(({ id }) => id);
}

/**
 * Returns a sentence that explains why a version can't be deleted; undefined if it can be deleted.
 * Configs that refer to the version prevent its deletion. If it is the only version, configs that
 * refer to its item also prevent it.
 */
async function findVersionUse(
  access: StoreAccess,
  item: RegistryItemWithOwner,
  version: string,
): Promise<string | undefined> {
  const ids = [getRegistryItemId(item), `${item.organization_id}:${item.name}`];
  const isOnly = (await listVersionSummaries(access, [item.id])).length === 1;
  const users = (await listNamingConfigs(access, item.id)).filter(
    ({ config_json }) =>
      isOnly ||
      parseRegistryReferences(config_json).some(
        (reference) => ids.includes(reference.itemId) && reference.version === version,
      ),
  );
  return describeDeletionBlockers(
    item,
    users,
    `version ${version} of package "${getPackageId(item)}"`,
  );
}

/**
 * Stores a version of a package, and creates its registry item if it doesn't exist.
 * @throws NotFound if the caller can't see the organization or the module doesn't exist,
 *   PermissionDenied without the permission to write packages, InvalidArgument if the info is
 *   invalid, and the errors from `storeArchive`.
 */
async function createPackage(
  dependencies: PackageDependencies,
  info: PackageInfo,
  content: AsyncIterable<Uint8Array>,
  context: HandlerContext,
): Promise<{ id: string; version: string }> {
  const principal = getCaller(context);
  requireRules(dependencies.validator, PackageInfoSchema, info);
  const { organizationId } = await requirePermission(
    dependencies.store,
    principal,
    'write_packages',
    { type: 'organization', id: info.organizationId },
  );
  requireItemName(info.name);
  const version = info.version || String(dateFromMicros(dependencies.now()).getTime());
  const { platform = ANY_PLATFORM } = info;
  if (info.type === PackageType.MODULE) {
    const moduleId = `${organizationId}:${info.name}`;
    const file = create(ModuleFileInfoSchema, { moduleId, version, platform });
    requireRules(dependencies.validator, ModuleFileInfoSchema, file);
  }
  checkJson(info.metadata ?? {}, 'metadata');
  const text = serializeContents(info);
  checkJsonSize(text, 'info');
  const archive = { version, platform, platformTags: [], info: text };
  const target = createArchiveTarget(dependencies, info, version, principal);
  await storeArchive(dependencies, target, archive, content, context);
  return { id: getPackageId({ organization_id: organizationId, name: info.name }), version };
}

function createArchiveTarget(
  dependencies: PackageDependencies,
  { organizationId, name, type, metadata }: PackageInfo,
  version: string,
  principal: Principal,
): ArchiveTarget {
  const described = describedItem(type, metadata);
  return {
    name,
    async find(access) {
      const item = await findRegistryItem(access, organizationId, name);
      if (item !== undefined) {
        if ((item.type as PackageType) !== type) {
          throw invalid(
            `type: "${name}" is of the type ${PackageType[item.type] ?? String(item.type)}: choose another name`,
          );
        }
        requireWritable(principal, item);
        if (type === PackageType.MODULE) await requireVersionOrder(access, item.id, version);
        return item;
      }
      if (type === PackageType.MODULE) throw notFound('module', `${organizationId}:${name}`);
      const needed = writingNeeds(described.visibility);
      if (!organizationsWith(principal, needed).includes(organizationId)) {
        throw permissionDenied(needed, 'organization', organizationId);
      }
      return undefined;
    },
    create: (access) =>
      ensureItem({ store: access, now: dependencies.now }, organizationId, name, type, described),
  };
}
