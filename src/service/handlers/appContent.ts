import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { type App, AppType, Visibility } from '../../gen/viam/app/v1/registry_pb';
import { isMember } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { notFound } from '../errors';
import { storedModule } from '../messages/moduleVersions';
import { listPackageFiles } from '../store/packages';
import { findAppModule, type RegistryItemWithOwner } from '../store/registry';
import { getCaller, type HandlerDependencies } from './handlerSupport';
import { packageContentPath } from './packageContentRoute';
import { inOrder } from './packageVersions';
import { mayReadItem } from './registryItems';

type AppContentOperations = Pick<ServiceImpl<typeof AppService>, 'getAppContent'>;

/** Handlers for web applications in modules (spec part 3, GetAppContent). */
export function appContentHandlers({ store }: HandlerDependencies): AppContentOperations {
  return {
    async getAppContent({ publicNamespace, name }, context) {
      const module = await findAppModule(store, publicNamespace, name);
      const app = module && storedModule(module).apps.find((candidate) => candidate.name === name);
      if (!app || !mayOpen(getCaller(context), module, app)) {
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

  /** Returns the newest archive of a module, which contains the files of its apps. */
  async function newestArchive(module: RegistryItemWithOwner): Promise<string> {
    const file = inOrder(module, await listPackageFiles(store, [module.id])).at(-1);
    return file === undefined ? '' : packageContentPath(file.id);
  }
}

/**
 * Returns true if a caller can read the module and belongs to an organization that the module's
 * owner allows.
 */
function mayOpen(principal: Principal, module: RegistryItemWithOwner, app: App): boolean {
  return (
    mayReadItem(principal, module) &&
    (app.allowedOrgIds === undefined ||
      [module.organization_id, ...app.allowedOrgIds.ids].some((id) => isMember(principal, id)))
  );
}
