import type { RegistryVersion } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import { isPlatform, type Platform } from '../../../../core/modules/platforms';
import { listForeignFiles } from '../../../../core/modules/upload/uploadBuilds';
import { proposedVersion, versionProblem } from '../../../../core/modules/upload/versionProblem';
import type { KeyValue } from '../../../../core/ports';
import { isListOf, isString } from '../../../../shared/guards';

const KEY = 'moduleUpload.last';

/** Uploaded build. */
export interface UploadedBuild {
  /** Absolute path on this computer. */
  readonly path: string;
  readonly platform: Platform;
  /** Modification time of the uploaded archive, in milliseconds since 1970; absent for a folder. */
  readonly writtenAt: number | undefined;
}

/** Record of the last upload, used to repeat it. */
export interface LastUpload {
  /** URI of the uploaded module's manifest. */
  readonly manifest: string;
  /** Connection to the registry that received the upload. */
  readonly connectionId: string;
  readonly moduleId: string;
  readonly version: string;
  /** True if the upload is complete; false if it is in progress, failed, or was canceled. */
  readonly hasArrived: boolean;
  readonly builds: readonly UploadedBuild[];
}

/** Parameters for repeating an upload. */
export interface Repetition {
  readonly version: string;
  /** Builds to upload. */
  readonly builds: readonly UploadedBuild[];
  /** Builds that the last upload already added to the version. */
  readonly arrived: readonly UploadedBuild[];
}

/**
 * Returns the parameters for repeating the last upload: only the missing builds and the same
 * version if possible; otherwise, all builds and the next version.
 * @param versions existing versions of the module
 */
export function planRepetition(
  { hasArrived, version, builds }: Pick<LastUpload, 'builds' | 'hasArrived' | 'version'>,
  versions: readonly RegistryVersion[],
): Repetition {
  const files = versions.find((one) => one.version === version)?.files ?? [];
  const there = new Set(files.map(({ platform }) => platform));
  const arrived = builds.filter(({ platform }) => hasArrived || there.has(platform));
  const missing = builds.filter((build) => !arrived.includes(build));
  const platforms = missing.map(({ platform }) => platform);
  const canGoOn = missing.length > 0 && !versionProblem(version, versions, platforms);
  return canGoOn
    ? { version, builds: missing, arrived }
    : { version: nextVersion(versions), builds, arrived };
}

/**
 * Returns the parameters for repeating the last upload in another registry or for another module:
 * all builds and the next version. The last version doesn't matter there.
 */
export function repetitionElsewhere(
  { builds }: Pick<LastUpload, 'builds'>,
  versions: readonly RegistryVersion[],
): Repetition {
  return { version: nextVersion(versions), builds, arrived: [] };
}

/**
 * Returns the builds that the selected version already contains; empty if it isn't the last
 * upload's version.
 */
export function listPreviouslyUploaded(
  { arrived }: Pick<Repetition, 'arrived'>,
  last: Pick<LastUpload, 'version'>,
  version: string,
): readonly UploadedBuild[] {
  return version === last.version ? arrived : [];
}

/**
 * Returns true if a repetition adds builds to a version that contains archives from other uploads.
 * The archives were probably built from different sources.
 */
export function joinsOthers(
  { version, builds, arrived }: Repetition,
  versions: readonly RegistryVersion[],
): boolean {
  const own = [...builds, ...arrived].map(({ platform }) => platform);
  return listForeignFiles(version, [], versions, own).length > 0;
}

/** Returns the next version after a module's existing versions. */
export function nextVersion(versions: readonly RegistryVersion[]): string {
  return proposedVersion(versions.map((one) => one.version));
}

/**
 * Returns true if an upload has the same target as the last upload. The manifest might have been
 * changed to specify another module.
 */
export function isSameTarget(
  last: Pick<LastUpload, 'connectionId' | 'moduleId'>,
  { connectionId, itemId }: Pick<RegistryItemTarget, 'connectionId' | 'itemId'>,
): boolean {
  return last.connectionId === connectionId && last.moduleId === itemId;
}

/**
 * Stores the last upload of each manifest in a workspace, and which manifest was uploaded most
 * recently.
 */
export class LastUploads {
  /** @param storage the workspace's storage */
  constructor(private readonly storage: KeyValue) {}

  /**
   * Returns the manifest's last upload or, if no manifest is given, the most recent upload overall.
   */
  get(manifest?: string): LastUpload | undefined {
    const key = manifest ?? this.storage.get(KEY);
    return isString(key) ? readUpload(this.storage.get(toStorageKey(key))) : undefined;
  }

  /** Clears a manifest's last upload. */
  async remove(manifest: string): Promise<void> {
    await this.storage.update(toStorageKey(manifest), undefined);
  }

  async remember(upload: LastUpload): Promise<void> {
    await this.storage.update(toStorageKey(upload.manifest), upload);
    await this.storage.update(KEY, upload.manifest);
  }
}

function toStorageKey(manifest: string): string {
  return `${KEY}:${manifest}`;
}

/** Another version of the extension might have stored different data. */
function readUpload(stored: unknown): LastUpload | undefined {
  if (!isObject(stored)) return undefined;
  const { manifest, connectionId, moduleId, version, builds } = stored;
  if (!isString(manifest) || !isString(connectionId) || !isString(moduleId)) return undefined;
  if (!isString(version) || !isListOf(isBuild)(builds)) return undefined;
  const hasArrived = stored.hasArrived === true;
  return { manifest, connectionId, moduleId, version, hasArrived, builds };
}

function isBuild(value: unknown): value is UploadedBuild {
  return (
    isObject(value) &&
    isString(value.path) &&
    isString(value.platform) &&
    isPlatform(value.platform)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
