import type { ServiceImpl } from '@connectrpc/connect';
import { create, toJsonString } from '@bufbuild/protobuf';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type App,
  AppType,
  ModuleFileInfoSchema,
  RegistryItemStatus,
  Visibility,
} from '../../gen/viam/app/v1/registry_pb';
import { PackageInfoSchema, PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import type { PageUrl } from '../accounts/signIn';
import type { Principal } from '../auth/principal';
import { getItemOwner, getRegistryItemId, moduleMessage } from '../messages/registryMessages';
import {
  findAppModule,
  listRegistryItems,
  type RegistryItemWithOwner,
  updateRegistryItem,
} from '../store/registry';
import { listRegistryUses } from '../store/registryUses';
import type { StoreAccess } from '../store/store';
import { getCaller, type HandlerDependencies, requireRules, requireText } from './handlerSupport';
import {
  canReadItem,
  organizationsWith,
  readableItem,
  requireMarkdown,
  requireModule,
  requireUrl,
  requireVersionOrder,
  requireWritable,
  toOrganizationFilter,
} from './registryItems';
import { inOrder, loadVersions, loadWholeVersions } from './packageVersions';
import { createItem, withLockedItem, writeModule } from './registryWrites';
import { isPlatformTag } from '../../core/model/registryPackage';
import { invalid, notFound } from '../errors';
import { packageContentPath } from './contentRoute';
import { type PackageDependencies, storeArchive } from './packageUploads';
import { UploadStream } from './uploadStream';
import { isMember } from '../auth/authorizer';
import { storedModule } from '../messages/packageMessages';
import { listPackageFiles } from '../store/packages';

type ModuleOperations = Pick<
  ServiceImpl<typeof AppService>,
  'createModule' | 'updateModule' | 'getModule' | 'listModules'
>;

export interface ModuleDependencies extends HandlerDependencies {
  pageUrl: PageUrl;
}

/** Handlers for modules, which are registry items that machines run (spec part 3). */
export function moduleHandlers(dependencies: ModuleDependencies): ModuleOperations {
  const { store } = dependencies;
  return {
    async createModule({ organizationId, name }, context) {
      await createItem(dependencies, organizationId, name, PackageType.MODULE);
      const row = await getModuleRow(getCaller(context), `${organizationId}:${name}`);
      return { moduleId: getRegistryItemId(row), url: getPageUrl(row) };
    },

    async updateModule(request, context) {
      const principal = getCaller(context);
      const visibility = request.visibility || Visibility.PRIVATE;
      const write = async (access: StoreAccess, item: RegistryItemWithOwner): Promise<void> => {
        requireModule(item, request.moduleId);
        requireWritable(principal, item, visibility);
        await updateRegistryItem(access, item.id, {
          visibility,
          status: RegistryItemStatus.PUBLISHED,
          url: requireUrl(request.url),
          description: requireText(request.description, 'description'),
          markdown_description:
            request.markdownDescription === undefined
              ? null
              : requireMarkdown(request.markdownDescription, 'markdown_description'),
          metadata: await writeModule(access, item, request),
          updated_at: dependencies.now(),
        });
      };
      await withLockedItem(dependencies, principal, request.moduleId, write, 'module');
      return { url: getPageUrl(await getModuleRow(principal, request.moduleId)) };
    },

    async getModule(request, context) {
      const principal = getCaller(context);
      const row = await getModuleRow(principal, request.moduleId);
      const uses = await listRegistryUses(store, [row.id]);
      return {
        module: moduleMessage(row, {
          use: uses.get(row.id),
          versions: await loadWholeVersions(store, row),
          withMarkdown: request.includeMarkdownDocumentation === true,
          canSeeOrganization: toOrganizationFilter(principal, row),
        }),
      };
    },

    async listModules(request, context) {
      const principal = getCaller(context);
      const rows = await listRegistryItems(store, {
        organizationId: request.organizationId ?? '',
        readableOrganizationIds: organizationsWith(principal, 'read_private_registry_item'),
        type: PackageType.MODULE,
      });
      const uses = await listRegistryUses(
        store,
        rows.map(({ id }) => id),
      );
      const versions = await loadVersions(store, rows);
      const withMarkdown = request.includeMarkdownDocumentation === true;
      return {
        modules: rows.map((row) =>
          moduleMessage(row, {
            use: uses.get(row.id),
            versions: versions.get(row.id) ?? [],
            withMarkdown,
            canSeeOrganization: toOrganizationFilter(principal, row),
          }),
        ),
      };
    },
  };

  async function getModuleRow(
    principal: Principal,
    moduleId: string,
  ): Promise<RegistryItemWithOwner> {
    const row = await readableItem(store, principal, moduleId, 'module');
    requireModule(row, moduleId);
    return row;
  }

  /**
   * Returns the URL of a module's page in the format that clients know from the public registry.
   */
  function getPageUrl(row: RegistryItemWithOwner): string {
    return dependencies.pageUrl(`/module/${getItemOwner(row)}/${row.name}`);
  }
}

type ModuleUploadOperations = Pick<ServiceImpl<typeof AppService>, 'uploadModuleFile'>;

/** Empty description of a module archive's contents. */
const NO_INFO = toJsonString(PackageInfoSchema, create(PackageInfoSchema));

/** Checks that a tag is a single word, because machines compare tags as whole words. */
function requireTag(tag: string): void {
  requireText(tag, 'platform_tags');
  if (isPlatformTag(tag)) return;
  throw invalid(
    'platform_tags: a tag must not be empty or contain spaces, for example "distro:debian"',
  );
}

/** Handlers that receive module archives (spec part 3, UploadModuleFile). */
export function moduleUploadHandlers(dependencies: PackageDependencies): ModuleUploadOperations {
  return {
    async uploadModuleFile(requests, context) {
      const stream = await UploadStream.begin(requests, 'module_file_info', context);
      const info = stream.head(({ moduleFile }) =>
        moduleFile.case === 'moduleFileInfo' ? moduleFile.value : undefined,
      );
      requireRules(dependencies.validator, ModuleFileInfoSchema, info);
      const { moduleId, version, platform, platformTags } = info;
      platformTags.forEach(requireTag);
      const principal = getCaller(context);
      const content = stream.readChunks(({ moduleFile }) =>
        moduleFile.case === 'file' ? moduleFile.value : undefined,
      );
      const id = await storeArchive(
        dependencies,
        {
          name: moduleId,
          async find(access) {
            const item = await readableItem(access, principal, moduleId, 'module');
            requireModule(item, moduleId);
            requireWritable(principal, item);
            await requireVersionOrder(access, item.id, version);
            return item;
          },
          create: () => {
            throw notFound('module', moduleId);
          },
        },
        { version, platform, platformTags, info: NO_INFO },
        content,
        context,
      );
      return { url: dependencies.pageUrl(packageContentPath(id)) };
    },
  };
}

type AppContentOperations = Pick<ServiceImpl<typeof AppService>, 'getAppContent'>;

/** Handlers for web applications in modules (spec part 3, GetAppContent). */
export function appContentHandlers({ store }: HandlerDependencies): AppContentOperations {
  return {
    async getAppContent({ publicNamespace, name }, context) {
      const module = await findAppModule(store, publicNamespace, name);
      const app = module && storedModule(module).apps.find((candidate) => candidate.name === name);
      if (!app || !canOpen(getCaller(context), module, app)) {
        throw notFound('app', `${publicNamespace}/${name}`);
      }
      return {
        blobPath: await newestArchive(module),
        entrypoint: app.entrypoint,
        appType: app.type === 'multi_machine' ? AppType.MULTI_MACHINE : AppType.SINGLE_MACHINE,
        public:
          (module.visibility as Visibility) === Visibility.PUBLIC &&
          app.allowedOrgIds === undefined,
      };
    },
  };

  /** Returns a module's newest archive, which contains the files of its apps. */
  async function newestArchive(module: RegistryItemWithOwner): Promise<string> {
    const file = inOrder(module, await listPackageFiles(store, [module.id])).at(-1);
    return file === undefined ? '' : packageContentPath(file.id);
  }
}

/**
 * Returns true if a caller can read the module and belongs to an organization that the module's
 * owner allows.
 */
function canOpen(principal: Principal, module: RegistryItemWithOwner, app: App): boolean {
  return (
    canReadItem(principal, module) &&
    (app.allowedOrgIds === undefined ||
      [module.organization_id, ...app.allowedOrgIds.ids].some((id) => isMember(principal, id)))
  );
}
