import {
  clone,
  create,
  type DescMessage,
  fromJsonString,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  type Model,
  ModelSchema,
  type ModuleMetadata,
  ModuleMetadataSchema,
  type ModuleVersion,
  ModuleVersionSchema,
  type VersionHistory,
  VersionHistorySchema,
} from '../../gen/viam/app/v1/registry_pb';
import { timestampFromMicros } from '../store/micros';
import type { PackageFileRow, PackageVersionRow } from '../store/packageSchema';

/**
 * Description of an item, either the current description or the one at the time a version was
 * created.
 */
type ItemDescription = Pick<PackageVersionRow, 'metadata' | 'markdown_description'>;

/** Version of an item, and the platforms for which it is available. */
export interface ItemVersion extends Pick<PackageVersionRow, 'version' | 'created_at'> {
  files: readonly Pick<PackageFileRow, 'platform' | 'uploaded_at'>[];
  /** Description of the item when the version was created; absent if the response omits it. */
  description?: ItemDescription;
}

/** Returns a version of a module in the format that registry items contain. */
export function moduleVersion(version: ItemVersion, withMarkdown: boolean): ModuleVersion {
  const description =
    version.description && createModuleDescription(version.description, withMarkdown);
  const { minViamServerVersion } = description ?? {};
  return create(ModuleVersionSchema, {
    ...common(version, description),
    ...(minViamServerVersion !== undefined && { minViamServerVersion }),
  });
}

/** Returns a version of a module in the format that the module methods return. */
export function versionHistory(version: ItemVersion, withMarkdown: boolean): VersionHistory {
  const description =
    version.description && createModuleDescription(version.description, withMarkdown);
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

/** Returns the metadata of a module, including its long descriptions if they are requested. */
export function createModuleDescription(
  description: ItemDescription,
  withMarkdown: boolean,
): ModuleMetadata {
  const stored = storedModule(description);
  return create(ModuleMetadataSchema, {
    ...stored,
    models: withMarkdown ? stored.models : stored.models.map(withoutMarkdown),
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
 * Returns the parts of a module's stored metadata that have no separate columns in the module's
 * row.
 */
export function storedModule(row: Pick<ItemDescription, 'metadata'>): ModuleMetadata {
  return readMetadata(ModuleMetadataSchema, row);
}

/** Parses the stored metadata of an item of the given type. */
export function readMetadata<Desc extends DescMessage>(
  schema: Desc,
  { metadata }: Pick<ItemDescription, 'metadata'>,
): MessageShape<Desc> {
  return fromJsonString(schema, metadata, { ignoreUnknownFields: true });
}
