import { create, toJsonString } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { PackageInfoSchema } from '../../gen/viam/app/packages/v1/packages_pb';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { ModuleFileInfoSchema } from '../../gen/viam/app/v1/registry_pb';
import { isPlatformTag } from '../../core/model/platformTag';
import { invalid, notFound } from '../errors';
import { getCaller, requireRules, requireText } from './handlerSupport';
import { requireModule } from './moduleMetadata';
import { packageContentPath } from './packageContentRoute';
import { type PackageDependencies, storeArchive } from './packageUploads';
import { readableItem, requireVersionOrder, requireWritable } from './registryItems';
import { UploadStream } from './uploadStream';

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
