import { createHash } from 'node:crypto';
import { FleetError, lacksAnswer, toFleetError } from '../../api/errors';
import type { RegistryItem, RegistryVersion, VersionFile } from '../../model/registryItem';
import type { ModuleUpdate } from '../../stores/registryRequests';
import type { RegistryStore } from '../../stores/registryStore';
import type { Platform } from '../platforms';
import { filesOfOthers } from './filesOfOthers';

/** An archive of a version, for one platform. */
export interface PlatformBuild {
  readonly platform: Platform;
  /** What else a machine has to have. */
  readonly platformTags?: readonly string[] | undefined;
  /** Its bytes, from the start each time it is called. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** An upload of it ended without an answer before: it may have arrived all the same. */
  readonly wasCut?: boolean | undefined;
}

/** A version of a module that is to be uploaded. */
export interface VersionUpload {
  readonly item: Pick<RegistryItem, 'id' | 'organizationId' | 'name' | 'type'>;
  /** Semantic, and checked against those that are there. */
  readonly version: string;
  /** One for each platform. */
  readonly builds: readonly PlatformBuild[];
  /**
   * What is said about the module first, as it is then: a version keeps what is said when its first archive
   * comes.
   */
  readonly update: ((current: RegistryItem) => Promise<ModuleUpdate>) | undefined;
  /**
   * The versions that there were when this one was chosen. One that somebody else made since is refused: a
   * version is of one source. Absent where that was looked at, and where the version was given from outside.
   */
  readonly known?: readonly RegistryVersion[] | undefined;
}

export interface VersionUploadOptions {
  readonly signal: AbortSignal;
  readonly onPlatform?: ((platform: Platform) => void) | undefined;
  /** Called for each piece on its way, with its bytes. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** How far an upload came. Each archive is there as a whole or not at all. */
export interface VersionUploadResult {
  readonly uploaded: readonly Platform[];
  /** What ended it ahead of its end, and what is still to be uploaded, the one that failed first. */
  readonly failed?: { readonly error: FleetError; readonly rest: readonly PlatformBuild[] };
}

type Registry = Pick<
  RegistryStore,
  'get' | 'noticeChange' | 'package' | 'updateModule' | 'uploadModule'
>;

/**
 * Says what the manifest says about a module, and uploads its archives one after the other.
 * @throws FleetError when nothing could be said about the module, `conflict` when somebody else made the
 *   version in the meantime; what fails afterwards is in the answer
 */
export async function uploadBuilds(
  registry: Registry,
  { item, version, builds, update, known }: VersionUpload,
  { signal, onPlatform, onSent }: VersionUploadOptions,
): Promise<VersionUploadResult> {
  if (update || known) {
    // Settling an upload takes a person's time: the visibility may be another than it was before.
    const current = await registry.get(item.id, { fresh: true, signal });
    const [other] = filesOfOthers(version, known ?? current.versions, current.versions, []);
    if (other) throw takenVersionError(item, version, other);
    if (update) await registry.updateModule(item, await update(current), signal);
  }
  const uploaded: Platform[] = [];
  for (const [index, build] of builds.entries()) {
    const { platform, platformTags, read } = build;
    onPlatform?.(platform);
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
      const first = { ...build, wasCut: build.wasCut === true || lacksAnswer(error) };
      return { uploaded, failed: { error, rest: [first, ...builds.slice(index + 1)] } };
    }
  }
  return { uploaded };
}

function takenVersionError(
  { id }: VersionUpload['item'],
  version: string,
  { platform, uploadedAt }: VersionFile,
): FleetError {
  const when = uploadedAt === undefined ? '' : ` (${uploadedAt.toISOString()})`;
  const message = `Another upload created ${id} ${version} for ${platform}${when} in the meantime. Nothing was uploaded. Select another version, or add to that version if both come from the same source.`;
  return new FleetError('conflict', message);
}

/** Whether the registry has exactly this archive. */
async function hasArrived(
  registry: Registry,
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
