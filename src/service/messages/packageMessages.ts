import {
  clone,
  create,
  type DescMessage,
  fromJsonString,
  type MessageShape,
  toJsonString,
} from '@bufbuild/protobuf';
import {
  type Package,
  type PackageInfo,
  PackageInfoSchema,
  PackageSchema,
} from '../../gen/viam/app/packages/v1/packages_pb';
import { timestampFromMicros } from '../store/micros';
import type { PackageFileSummary } from '../store/packages';
import type { PackageFileRow, PackageVersionRow } from '../store/registrySchema';
import type { RegistryItemWithOwner } from '../store/registry';
import {
  AllowedOrgIDsSchema,
  type App,
  AppSchema,
  type Model,
  ModelSchema,
  type ModuleMetadata,
  ModuleMetadataSchema,
  type ModuleVersion,
  ModuleVersionSchema,
  type VersionHistory,
  VersionHistorySchema,
} from '../../gen/viam/app/v1/registry_pb';

/** Returns an item's package ID, which is the same for all versions. */
export function getPackageId(
  item: Pick<RegistryItemWithOwner, 'organization_id' | 'name'>,
): string {
  return `${item.organization_id}/${item.name}`;
}

/** Returns the file name that a browser uses to save the archive. */
export function archiveName(
  { name }: Pick<RegistryItemWithOwner, 'name'>,
  { version, platform }: Pick<PackageFileRow, 'version' | 'platform'>,
): string {
  return `${[name, version, ...platform.split('/')].join('-')}.tar.gz`;
}

/** Returns an uploader's description of an archive's contents as the string to store. */
export function serializeContents({
  files,
  metadata,
}: Pick<PackageInfo, 'files' | 'metadata'>): string {
  return toJsonString(
    PackageInfoSchema,
    create(PackageInfoSchema, { files, ...(metadata && { metadata }) }),
  );
}

/**
 * Returns an archive's wire format.
 * @param info description of the archive's contents; absent if the response omits it.
 * @param url download URL; empty if it isn't requested.
 */
export function packageMessage(
  item: RegistryItemWithOwner,
  file: PackageFileSummary,
  info: string | undefined,
  url: string,
): Package {
  const { files, metadata } = fromJsonString(PackageInfoSchema, info ?? '{}');
  const whole = { name: archiveName(item, file), size: BigInt(file.file_size) };
  return create(PackageSchema, {
    id: getPackageId(item),
    url,
    checksum: file.blob_hash,
    createdOn: timestampFromMicros(file.uploaded_at),
    info: {
      organizationId: item.organization_id,
      name: item.name,
      version: file.version,
      type: item.type,
      platform: file.platform,
      files: files.length > 0 ? files : [whole],
      ...(metadata && { metadata }),
    },
  });
}

/**
 * An item's description, either the current description or the one at the time a version was
 * created.
 */
type ItemDescription = Pick<PackageVersionRow, 'metadata' | 'markdown_description'>;

/** An item's version, and the platforms for which it is available. */
export interface ItemVersion extends Pick<PackageVersionRow, 'version' | 'created_at'> {
  files: readonly Pick<PackageFileRow, 'platform' | 'uploaded_at'>[];
  /** The item's description when the version was created; absent if the response omits it. */
  description?: ItemDescription;
}

/** Data about a module that a response contains. */
export interface ModuleVisibility {
  /** True if the response contains the long descriptions. */
  withMarkdown: boolean;
  /** Returns true if the caller can know that an organization is allowed to use an app. */
  canSeeOrganization: (organizationId: string) => boolean;
}

/** Returns a module version in the format that registry items contain. */
export function moduleVersion(version: ItemVersion, visible: ModuleVisibility): ModuleVersion {
  const description = version.description && createModuleDescription(version.description, visible);
  const { minViamServerVersion } = description ?? {};
  return create(ModuleVersionSchema, {
    ...common(version, description),
    ...(minViamServerVersion !== undefined && { minViamServerVersion }),
  });
}

/** Returns a module version in the format that the module methods return. */
export function versionHistory(version: ItemVersion, visible: ModuleVisibility): VersionHistory {
  const description = version.description && createModuleDescription(version.description, visible);
  return create(VersionHistorySchema, common(version, description));
}

function common({ version, files }: ItemVersion, description: ModuleMetadata | undefined) {
  const {
    models = [],
    entrypoint = '',
    apps = [],
    firstRun,
    markdownDescription,
  } = description ?? {};
  return {
    version,
    files: files.map(({ platform, uploaded_at }) => ({
      platform,
      uploadedAt: timestampFromMicros(uploaded_at),
    })),
    models,
    entrypoint,
    apps,
    ...(firstRun !== undefined && { firstRun }),
    ...(markdownDescription !== undefined && { markdownDescription }),
  };
}

/** Returns a module's metadata, including its long descriptions if they are requested. */
export function createModuleDescription(
  description: ItemDescription,
  { withMarkdown, canSeeOrganization }: ModuleVisibility,
): ModuleMetadata {
  const stored = storedModule(description);
  return create(ModuleMetadataSchema, {
    ...stored,
    models: withMarkdown ? stored.models : stored.models.map(withoutMarkdown),
    apps: stored.apps.map((app) => withVisibleOrganizations(app, canSeeOrganization)),
    ...(withMarkdown &&
      description.markdown_description !== null && {
        markdownDescription: description.markdown_description,
      }),
  });
}

function withoutMarkdown(model: Model): Model {
  const brief = clone(ModelSchema, model);
  delete brief.markdownDocumentation;
  return brief;
}

/**
 * Omits the organizations that the caller can't see. The field itself remains, because without it
 * the app would be available to every organization.
 */
function withVisibleOrganizations(
  app: App,
  canSeeOrganization: ModuleVisibility['canSeeOrganization'],
): App {
  if (app.allowedOrgIds === undefined) return app;
  const visible = clone(AppSchema, app);
  visible.allowedOrgIds = create(AllowedOrgIDsSchema, {
    ids: app.allowedOrgIds.ids.filter(canSeeOrganization),
  });
  return visible;
}

/**
 * Returns the parts of a module's stored metadata that have no separate columns in the module's
 * row.
 */
export function storedModule(row: Pick<ItemDescription, 'metadata'>): ModuleMetadata {
  return readMetadata(ModuleMetadataSchema, row);
}

/** Parses the stored metadata for an item of the given type. */
export function readMetadata<Desc extends DescMessage>(
  schema: Desc,
  { metadata }: Pick<ItemDescription, 'metadata'>,
): MessageShape<Desc> {
  return fromJsonString(schema, metadata, { ignoreUnknownFields: true });
}
