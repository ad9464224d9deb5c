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

/** What was said of an item, now or when a version was made. */
type Said = Pick<PackageVersionRow, 'metadata' | 'markdown_description'>;

/** A version of an item, with the platforms that it is there for. */
export interface ItemVersion extends Pick<PackageVersionRow, 'version' | 'created_at'> {
  files: readonly Pick<PackageFileRow, 'platform' | 'uploaded_at'>[];
  /** What was said of the item when the version was made; absent where an answer leaves it out. */
  said?: Said;
}

/** A version of a module, as registry items show it. */
export function moduleVersion(version: ItemVersion, withMarkdown: boolean): ModuleVersion {
  const said = version.said && saidOfModule(version.said, withMarkdown);
  const { minViamServerVersion } = said ?? {};
  return create(ModuleVersionSchema, {
    ...common(version, said),
    ...(minViamServerVersion !== undefined && { minViamServerVersion }),
  });
}

/** A version of a module, as the module methods show it. */
export function versionHistory(version: ItemVersion, withMarkdown: boolean): VersionHistory {
  const said = version.said && saidOfModule(version.said, withMarkdown);
  return create(VersionHistorySchema, common(version, said));
}

function common({ version, files }: ItemVersion, said: ModuleMetadata | undefined) {
  const { models = [], entrypoint = '', apps = [], firstRun, markdownDescription } = said ?? {};
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

/** What is said of a module, with its long descriptions where they are asked for. */
export function saidOfModule(said: Said, withMarkdown: boolean): ModuleMetadata {
  const stored = storedModule(said);
  return create(ModuleMetadataSchema, {
    ...stored,
    models: withMarkdown ? stored.models : stored.models.map(withoutMarkdown),
    ...(withMarkdown &&
      said.markdown_description !== null && { markdownDescription: said.markdown_description }),
  });
}

function withoutMarkdown(model: Model): Model {
  const brief = clone(ModelSchema, model);
  delete brief.markdownDocumentation;
  return brief;
}

/** What is stored of a module beyond the columns of its row. */
export function storedModule(row: Pick<Said, 'metadata'>): ModuleMetadata {
  return readMetadata(ModuleMetadataSchema, row);
}

/** Reads what is stored of an item of one type. */
export function readMetadata<Desc extends DescMessage>(
  schema: Desc,
  { metadata }: Pick<Said, 'metadata'>,
): MessageShape<Desc> {
  return fromJsonString(schema, metadata, { ignoreUnknownFields: true });
}
