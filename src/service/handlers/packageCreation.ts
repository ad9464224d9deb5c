import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import {
  type PackageInfo,
  PackageInfoSchema,
  PackageType,
} from '../../gen/viam/app/packages/v1/packages_pb';
import { ModuleFileInfoSchema } from '../../gen/viam/app/v1/registry_pb';
import { requirePermission } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { checkJson, checkJsonSize } from '../config/jsonLimits';
import { invalid, notFound, permissionDenied } from '../errors';
import { serializeContents, getPackageId } from '../messages/packageMessages';
import { dateFromMicros } from '../store/micros';
import { findRegistryItem } from '../store/registry';
import { getCaller, requireRules } from './handlerSupport';
import { describedItem } from './packageItems';
import {
  ANY_PLATFORM,
  type ArchiveTarget,
  type PackageDependencies,
  storeArchive,
} from './packageUploads';
import {
  organizationsWith,
  requireItemName,
  requireVersionOrder,
  requireWritable,
  writingNeeds,
} from './registryItems';
import { ensureItem } from './registryWrites';

/**
 * Stores a version of a package, and creates its registry item if it doesn't exist.
 * @throws NotFound if the caller can't see the organization or the module doesn't exist,
 *   PermissionDenied without the permission to write packages, InvalidArgument if the info is
 *   invalid, and the errors of `storeArchive`.
 */
export async function createPackage(
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
      if (type === PackageType.MODULE) {
        throw notFound('module', `${organizationId}:${name}`);
      }
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
