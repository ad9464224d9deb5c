import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { isPlatform, type Platform } from '../../../core/modules/platforms';
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
  readonly builds: readonly UploadedBuild[];
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
  return { manifest, connectionId, moduleId, version, builds };
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
