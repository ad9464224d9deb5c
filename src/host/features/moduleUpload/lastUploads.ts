import type { RegistryVersion } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { isPlatform, type Platform } from '../../../core/modules/platforms';
import { proposedVersion } from '../../../core/modules/upload/proposedVersion';
import { versionProblem } from '../../../core/modules/upload/versionProblem';
import type { KeyValue } from '../../../core/ports';
import { isListOf, isString } from '../../../shared/guards';

const KEY = 'moduleUpload.last';

/** A build that was uploaded. */
export interface UploadedBuild {
  /** On this machine, absolute. */
  readonly path: string;
  readonly platform: Platform;
  /** When it was last written, in milliseconds since 1970; absent for a folder. */
  readonly writtenAt: number | undefined;
}

/** What was uploaded last, to do it again. */
export interface LastUpload {
  /** The address of its manifest. */
  readonly manifest: string;
  /** The registry that it went to, and the module there. */
  readonly connectionId: string;
  readonly moduleId: string;
  readonly version: string;
  /** Whether all of it is there; false for what failed or was cancelled. */
  readonly hasArrived: boolean;
  readonly builds: readonly UploadedBuild[];
}

/**
 * The version that a repeated upload is: the one that was chosen last and did not arrive, or the next.
 * @param versions those that the module has
 */
export function versionToRepeat(
  { hasArrived, version, builds }: Pick<LastUpload, 'builds' | 'hasArrived' | 'version'>,
  versions: readonly RegistryVersion[],
): string {
  const platforms = builds.map(({ platform }) => platform);
  return hasArrived || versionProblem(version, versions, platforms)
    ? proposedVersion(versions.map((one) => one.version))
    : version;
}

/** Whether an upload would go where the last one went: the same manifest may be for another module by now. */
export function isSamePlace(
  last: Pick<LastUpload, 'connectionId' | 'moduleId'>,
  { connectionId, itemId }: Pick<RegistryItemTarget, 'connectionId' | 'itemId'>,
): boolean {
  return last.connectionId === connectionId && last.moduleId === itemId;
}

/** Remembers the last upload of each manifest of a workspace, and which was the last of all. */
export class LastUploads {
  /** @param storage of the workspace */
  constructor(private readonly storage: KeyValue) {}

  /** Of a manifest, or of whichever was last. */
  get(manifest?: string): LastUpload | undefined {
    const key = manifest ?? this.storage.get(KEY);
    return isString(key) ? readUpload(this.storage.get(keyOf(key))) : undefined;
  }

  async remember(upload: LastUpload): Promise<void> {
    await this.storage.update(keyOf(upload.manifest), upload);
    await this.storage.update(KEY, upload.manifest);
  }
}

function keyOf(manifest: string): string {
  return `${KEY}:${manifest}`;
}

/** Another version of the product may have stored something else. */
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
