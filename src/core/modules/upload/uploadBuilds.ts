import { createHash } from 'node:crypto';
import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { FleetError, isOutcomeUnknown, toFleetError } from '../../api/errors';
import type { RegistryItem, RegistryVersion, VersionFile } from '../../model/registryItem';
import type { ModuleUpdate } from '../../stores/registryRequests';
import type { RegistryStore } from '../../stores/registryStore';
import type { Platform } from '../platforms';

/** Archive for one platform of a version. */
export interface PlatformBuild {
  readonly platform: Platform;
  /** Additional tags that a machine must have. */
  readonly platformTags?: readonly string[] | undefined;
  /** Reads the archive's bytes. Every call starts from the beginning. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /**
   * True if an earlier upload of the archive received no response, so the archive might have
   * arrived.
   */
  readonly wasCut?: boolean | undefined;
}

/** Module version to upload. */
export interface VersionUpload {
  readonly item: Pick<RegistryItem, 'id' | 'organizationId' | 'name' | 'type'>;
  /** Semantic version, validated against the existing versions. */
  readonly version: string;
  /** Archives of the version, one for each platform. */
  readonly builds: readonly PlatformBuild[];
  /**
   * Creates the update that is applied to the module before the upload. The update comes first,
   * because a version permanently contains the module data from the time of its first archive.
   */
  readonly update: ((current: RegistryItem) => Promise<ModuleUpdate>) | undefined;
  /**
   * Versions at the time when the user selected this version. If another user has created this
   * version since, the upload is rejected, because all archives of a version must be from the same
   * source. Absent if that was already checked or if the version was specified externally.
   */
  readonly known?: readonly RegistryVersion[] | undefined;
}

/** Change of the registry during an upload. */
export type UploadStep = 'updating' | 'updated' | 'uploading';

export interface VersionUploadOptions {
  readonly signal: AbortSignal;
  /**
   * Called before the module's update, after it, and before each archive. After a failure, the
   * steps show what might have changed.
   */
  readonly onStep?: ((step: UploadStep) => void) | undefined;
  /** Called with the size in bytes of each chunk when the chunk is sent. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  /** Translates error messages. */
  readonly l10n?: Localizer;
}

/** Outcome of an upload. Each archive is stored completely or not at all. */
export interface VersionUploadResult {
  readonly uploaded: readonly Platform[];
  /** Error that ended the upload, and the remaining builds, starting with the failed build. */
  readonly failed?: { readonly error: FleetError; readonly rest: readonly PlatformBuild[] };
}

type Registry = Pick<
  RegistryStore,
  'get' | 'noticeChange' | 'package' | 'updateModule' | 'uploadModule'
>;

/**
 * Updates a module's registry entry from its manifest, and uploads the archives one after the
 * other.
 * @throws FleetError if the update fails; `conflict` if another user has created the version in the
 *   meantime. Later failures are in the result.
 */
export async function uploadBuilds(
  registry: Registry,
  { item, version, builds, update, known }: VersionUpload,
  { signal, onStep, onSent, l10n = englishLocalizer }: VersionUploadOptions,
): Promise<VersionUploadResult> {
  if (update || known) {
    // The user takes time to prepare an upload, so the visibility might have changed since then.
    const current = await registry.get(item.id, { fresh: true, signal });
    const [other] = listForeignFiles(version, known ?? current.versions, current.versions, []);
    if (other) throw createVersionTakenError(item, version, other, l10n);
    if (update) {
      const request = await update(current);
      onStep?.('updating');
      await registry.updateModule(item, request, signal);
      onStep?.('updated');
    }
  }
  const uploaded: Platform[] = [];
  for (const [index, build] of builds.entries()) {
    const { platform, platformTags, read } = build;
    onStep?.('uploading');
    try {
      const isThere =
        build.wasCut === true && (await hasArrived(registry, item, version, build, signal));
      const { id, organizationId } = item;
      const upload = { id, organizationId, version, platform, platformTags, read };
      if (isThere) registry.noticeChange(item);
      else await registry.uploadModule(upload, { signal, onSent });
      uploaded.push(platform);
    } catch (thrown) {
      const error = toFleetError(thrown);
      const first = { ...build, wasCut: build.wasCut === true || isOutcomeUnknown(error) };
      return { uploaded, failed: { error, rest: [first, ...builds.slice(index + 1)] } };
    }
  }
  return { uploaded };
}

function createVersionTakenError(
  { id }: VersionUpload['item'],
  version: string,
  { platform, uploadedAt }: VersionFile,
  l10n: Localizer,
): FleetError {
  const message =
    uploadedAt === undefined
      ? l10n.t(
          'Another upload created {0} {1} for {2} in the meantime. Nothing was uploaded. Select another version, or add to that version if both come from the same source.',
          id,
          version,
          platform,
        )
      : l10n.t(
          'Another upload created {0} {1} for {2} ({3}) in the meantime. Nothing was uploaded. Select another version, or add to that version if both come from the same source.',
          id,
          version,
          platform,
          uploadedAt.toISOString(),
        );
  return new FleetError('conflict', message);
}

/** Returns true if the registry has exactly this archive. */
export async function hasArrived(
  registry: Pick<Registry, 'package'>,
  item: VersionUpload['item'],
  version: string,
  { platform, read }: PlatformBuild,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await registry.package(item, version, platform, signal).catch((error: unknown) => {
    if (toFleetError(error).kind === 'notFound') return undefined;
    throw error;
  });
  if (found?.platform !== platform || found.checksum === '') return false;
  const hash = createHash('sha256');
  for await (const bytes of read(signal)) hash.update(bytes);
  return hash.digest('hex') === found.checksum;
}

/**
 * Returns a version's archives that another user uploaded at the same time, probably from a
 * different source. Returns an empty list if the version already existed, because the user intended
 * to add archives to it.
 * @param known versions at the time when the user selected this version
 * @param now current versions
 * @param own platforms that this client uploaded
 */
export function listForeignFiles(
  version: string,
  known: readonly RegistryVersion[],
  now: readonly RegistryVersion[],
  own: readonly string[],
): readonly VersionFile[] {
  if (known.some((one) => one.version === version)) return [];
  const files = now.find((one) => one.version === version)?.files ?? [];
  return files.filter(({ platform }) => !own.includes(platform));
}

/** Archive of a version. */
interface VersionArchive {
  readonly version: string;
  readonly platform: Platform;
}

/**
 * Checks whether the registry has an archive whose upload received no response. Returns undefined
 * if that can't be determined, for example after a sign-out. Never throws.
 */
export async function isRegistered(
  registry: Pick<RegistryStore, 'get'>,
  { id }: Pick<RegistryItem, 'id'>,
  archive: VersionArchive,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    const { versions } = await registry.get(id, { fresh: true, signal });
    const files = versions.find(({ version }) => version === archive.version)?.files ?? [];
    return files.some(({ platform }) => platform === archive.platform);
  } catch {
    return undefined;
  }
}
