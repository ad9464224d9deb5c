import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import type {
  CreatePackageRequestSchema,
  CreatePackageResponse,
} from '../../gen/viam/app/packages/v1/packages_pb';
import type {
  UploadModuleFileRequestSchema,
  UploadModuleFileResponse,
} from '../../gen/viam/app/v1/registry_pb';
import { type FleetClients, withSignal } from '../api/fleetClients';
import { streamContent, type UploadOptions } from '../api/streamContent';
import type { OrganizationId, RegistryItemId } from '../model/ids';
import type { PackageEntry } from '../model/registryPackage';
import type { KnownItemType } from '../model/registryItem';
import { ITEM_TYPES } from '../model/registryWire';

/**
 * Maximum number of archive bytes in one message, large enough to keep the overhead per message
 * small.
 */
const CHUNK_BYTES = 1024 * 1024;

type ReadArchive = (signal: AbortSignal) => AsyncIterable<Uint8Array>;

/** Archive to upload for an existing module. */
export interface ModuleUpload {
  readonly id: RegistryItemId;
  readonly organizationId: OrganizationId;
  /** Semantic version, such as `1.2.3`. */
  readonly version: string;
  /** Target platform, such as `linux/arm64`; `any` for all platforms. */
  readonly platform: string;
  /** Additional tags that a machine must have. */
  readonly platformTags?: readonly string[] | undefined;
  /** Reads the archive, which is a `.tar.gz` file, until the end or until the upload stops. */
  readonly read: ReadArchive;
}

/** Package version to upload. */
export interface PackageUpload {
  readonly organization: OrganizationId;
  readonly name: string;
  /**
   * Name of the version; if it's empty, the service uses the current time in milliseconds since
   * 1970.
   */
  readonly version: string;
  readonly type: KnownItemType;
  /** Target platform; absent for any platform. */
  readonly platform?: string | undefined;
  /** The archive's contents. If absent, the service reports the archive's size instead. */
  readonly files?: readonly PackageEntry[] | undefined;
  /**
   * Metadata for creating a new item: `visibility`, `url`, `draft`, `model_type`,
   * `model_framework`.
   */
  readonly metadata?: JsonObject | undefined;
  /** Reads the archive, which is a `.tar.gz` file, until the end or until the upload stops. */
  readonly read: ReadArchive;
}

export interface UploadedPackage {
  /** ID of the package, `organization_id/name`. */
  readonly id: string;
  readonly version: string;
}

export function sendModule(
  app: FleetClients['app'],
  { id, version, platform, platformTags = [], read }: ModuleUpload,
  options: UploadOptions,
): Promise<UploadModuleFileResponse> {
  const info = { moduleId: id, version, platform, platformTags: [...platformTags] };
  return streamContent<
    MessageInitShape<typeof UploadModuleFileRequestSchema>,
    UploadModuleFileResponse
  >(
    {
      head: { moduleFile: { case: 'moduleFileInfo', value: info } },
      chunkBytes: CHUNK_BYTES,
      toMessage: (value) => ({ moduleFile: { case: 'file', value } }),
      read,
      send: (messages) => app.uploadModuleFile(messages, withSignal(options.signal)),
    },
    options,
  );
}

export async function sendPackage(
  packages: FleetClients['packages'],
  upload: PackageUpload,
  options: UploadOptions,
): Promise<UploadedPackage> {
  const { organization, name, version, type, platform, files = [], metadata, read } = upload;
  const info = {
    organizationId: organization,
    name,
    version,
    type: ITEM_TYPES[type],
    files: files.map(({ size, ...file }) => ({ ...file, size: BigInt(size) })),
    ...(platform !== undefined && { platform }),
    ...(metadata && { metadata }),
  };
  const answer = await streamContent<
    MessageInitShape<typeof CreatePackageRequestSchema>,
    CreatePackageResponse
  >(
    {
      head: { package: { case: 'info', value: info } },
      chunkBytes: CHUNK_BYTES,
      toMessage: (value) => ({ package: { case: 'contents', value } }),
      read,
      send: (messages) => packages.createPackage(messages, withSignal(options.signal)),
    },
    options,
  );
  return { id: answer.id, version: answer.version };
}
