import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { RegistryItemStatus, Visibility } from '../../gen/viam/app/v1/registry_pb';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import type { PageUrl } from '../accounts/links';
import type { Principal } from '../auth/principal';
import { getRegistryItemId, moduleMessage } from '../messages/registryMessages';
import {
  listRegistryItems,
  type RegistryItemWithOwner,
  updateRegistryItem,
} from '../store/registry';
import { listRegistryUses } from '../store/registryUses';
import type { StoreAccess } from '../store/store';
import { getCaller, type HandlerDependencies, requireText } from './handlerSupport';
import { requireModule } from './moduleMetadata';
import { loadVersions, loadWholeVersions } from './packageVersions';
import {
  organizationsWith,
  readableItem,
  requireMarkdown,
  requireUrl,
  requireWritable,
} from './registryItems';
import { createItem, withLockedItem, writeModule } from './registryWrites';

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
      const row = await getModuleRow(getCaller(context), request.moduleId);
      const uses = await listRegistryUses(store, [row.id]);
      return {
        module: moduleMessage(row, {
          use: uses.get(row.id),
          versions: await loadWholeVersions(store, row),
          withMarkdown: request.includeMarkdownDocumentation === true,
        }),
      };
    },

    async listModules(request, context) {
      const rows = await listRegistryItems(store, {
        organizationId: request.organizationId ?? '',
        readableOrganizationIds: organizationsWith(
          getCaller(context),
          'read_private_registry_item',
        ),
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
    return dependencies.pageUrl(
      `/module/${row.public_namespace ?? row.organization_id}/${row.name}`,
    );
  }
}
