import { FleetError } from '../../api/errors';
import { registryItemId } from '../../model/ids';
import type { RegistryItem, RegistryVersion } from '../../model/registryItem';
import type { RegistryStore } from '../../stores/registryStore';
import type { BuildFacts, BuildReader } from '../buildFacts';
import type { ModuleManifest } from '../manifest/moduleManifest';
import type { Platform } from '../platforms';
import { createModuleUpdate } from '../moduleUpdate';
import { englishLocalizer } from '../../../base/localizer';
import { namedFiles } from './preparedBuild';
import { hasArrived, uploadBuilds, type VersionUploadOptions } from './uploadBuilds';
import { versionProblem } from './versionProblem';

/** Validated build and the upload parameters from the command line or a task. */
export interface PreparedUpload {
  readonly manifest: ModuleManifest;
  /** Absolute path of the build. */
  readonly buildPath: string;
  readonly facts: BuildFacts;
  readonly platform: Platform;
  /** Semantic version. */
  readonly version: string;
  /** Additional tags that a machine must have. */
  readonly platformTags: readonly string[];
  /** True to update the module's registry entry from the manifest. */
  readonly update: boolean;
  /**
   * Versions at the time when this version was proposed; absent if the user specified the version.
   */
  readonly known?: readonly RegistryVersion[] | undefined;
  /** Platforms for which the same upload has already uploaded archives of this version. */
  readonly uploaded?: readonly Platform[] | undefined;
  /** True to skip an archive that the registry already has, which continues an earlier upload. */
  readonly skipsIdentical?: boolean | undefined;
}

/** Result of an upload without prompts. */
export interface PreparedUploadResult {
  readonly item: RegistryItem;
  /** Number of sent bytes. */
  readonly bytes: number;
  /** True if nothing was sent, because the registry already has an identical archive. */
  readonly isSkipped: boolean;
}

/** Dependencies of an upload without prompts. */
export interface PreparedUploadDeps {
  readonly registry: RegistryStore;
  readonly reader: BuildReader;
  /** Reads a text file next to the manifest. */
  readonly readSibling: (path: string) => Promise<string>;
  /** Writes a message for the reader of the output. */
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal;
  readonly onStep?: VersionUploadOptions['onStep'];
}

/**
 * Uploads a build to the registered module in its manifest, without prompts.
 * @throws FleetError; in this case, the archive is not registered, unless only the response was
 *   lost
 */
export async function uploadPrepared(
  upload: PreparedUpload,
  { registry, reader, readSibling, say, signal, onStep }: PreparedUploadDeps,
): Promise<PreparedUploadResult> {
  const { manifest, buildPath, facts, platform, version, platformTags, known } = upload;
  const item = await readItem(registry, manifest.moduleId, signal);
  const { fingerprint } = facts;
  const named = namedFiles(manifest);
  const read = (reading: AbortSignal): AsyncIterable<Uint8Array> =>
    reader.read(buildPath, named, { signal: reading, fingerprint });
  const build = { platform, platformTags, read };
  if (
    upload.skipsIdentical &&
    versionProblem(version, item.versions, [platform])?.kind === 'taken'
  ) {
    const isSkipped = await hasArrived(registry, item, version, build, signal);
    if (isSkipped) return { item, bytes: 0, isSkipped };
  }
  requireFree(item, upload, say);
  say(`Uploading ${buildPath} as ${item.id} ${version} for ${platform}`);
  const update = upload.update
    ? (current: RegistryItem) =>
        createModuleUpdate(manifest, current, { readSibling, l10n: englishLocalizer })
    : undefined;
  let bytes = 0;
  const { failed } = await uploadBuilds(
    registry,
    { item, version, builds: [build], update, known },
    { signal, onStep, onSent: (sent) => (bytes += sent) },
  );
  if (failed) throw failed.error;
  return { item, bytes, isSkipped: false };
}

async function readItem(
  registry: RegistryStore,
  moduleId: string,
  signal: AbortSignal,
): Promise<RegistryItem> {
  try {
    return await registry.get(registryItemId(moduleId), { fresh: true, signal });
  } catch (error) {
    if (!(error instanceof FleetError) || error.kind !== 'notFound') throw error;
    const message = `The registry has no module "${moduleId}", or this key doesn't have permission to view it. Create it first.`;
    throw new FleetError('notFound', message, { cause: error });
  }
}

function requireFree(
  { id, versions }: RegistryItem,
  { version, platform, uploaded = [] }: Pick<PreparedUpload, 'version' | 'platform' | 'uploaded'>,
  say: (sentence: string) => void,
): void {
  const problem = versionProblem(version, versions, [platform]);
  if (problem?.kind === 'taken') {
    const message = `${id} ${version} already has an archive for ${platform}. Upload another version.`;
    throw new FleetError('invalid', message);
  }
  if (problem?.kind === 'same') {
    const message = `${version} differs from ${problem.other} of ${id} only in build metadata, which doesn't affect the order of versions. Upload another version.`;
    throw new FleetError('invalid', message);
  }
  if (problem?.kind === 'older') {
    say(
      `warning: ${version} is older than ${problem.newest}, which remains the latest version for machines`,
    );
  }
  const files = versions.find((one) => one.version === version)?.files ?? [];
  const own = new Set<string>(uploaded);
  const there = files.filter((file) => !own.has(file.platform));
  if (there.length === 0) return;
  const archives = there.map(({ platform: of, uploadedAt }) =>
    uploadedAt ? `${of} (${uploadedAt.toISOString()})` : of,
  );
  say(
    `${version} already has ${archives.join(', ')}: all archives of a version must come from the same source`,
  );
}
