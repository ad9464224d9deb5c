import type { RegistryVersion } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { isPlatform, type Platform } from '../../../core/modules/platforms';
import { filesOfOthers } from '../../../core/modules/upload/filesOfOthers';
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
  /** When it was written that was uploaded, in milliseconds since 1970; absent for a folder. */
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
  /** Whether all of it is there; false for what failed or was canceled. */
  readonly hasArrived: boolean;
  readonly builds: readonly UploadedBuild[];
}

/** How an upload is repeated. */
export interface Repetition {
  readonly version: string;
  /** What is to be uploaded. */
  readonly builds: readonly UploadedBuild[];
  /** Those of the last upload that are there, in its version. */
  readonly arrived: readonly UploadedBuild[];
}

/**
 * How the last upload is repeated: what did not arrive, in the version that was chosen for it; or all of
 * it in the next version.
 * @param versions those that the module has
 */
export function repetitionOf(
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

/** How the last upload is repeated elsewhere, of whose versions it says nothing: all of it, in the next one. */
export function repetitionElsewhere(
  { builds }: Pick<LastUpload, 'builds'>,
  versions: readonly RegistryVersion[],
): Repetition {
  return { version: nextVersion(versions), builds, arrived: [] };
}

/** Those of a repetition that are in the version that is uploaded in the end: another has none of them. */
export function broughtBefore(
  { arrived }: Pick<Repetition, 'arrived'>,
  last: Pick<LastUpload, 'version'>,
  version: string,
): readonly UploadedBuild[] {
  return version === last.version ? arrived : [];
}

/** Whether a repetition adds to a version that has archives of others: from another source, as likely as not. */
export function joinsOthers(
  { version, builds, arrived }: Repetition,
  versions: readonly RegistryVersion[],
): boolean {
  const own = [...builds, ...arrived].map(({ platform }) => platform);
  return filesOfOthers(version, [], versions, own).length > 0;
}

/** The version after those that a module has. */
export function nextVersion(versions: readonly RegistryVersion[]): string {
  return proposedVersion(versions.map((one) => one.version));
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

  /** Forgets that of a manifest. */
  async forget(manifest: string): Promise<void> {
    await this.storage.update(keyOf(manifest), undefined);
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
