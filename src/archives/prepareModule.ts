import { dirname, relative, resolve } from 'node:path';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { BuildFacts, BuildReader } from '../core/modules/buildFacts';
import { buildOutside, type ManifestDiagnostic } from '../core/modules/manifest/manifestDiagnostic';
import { checkManifest } from '../core/modules/manifest/checkManifest';
import type { ModuleManifest } from '../core/modules/manifest/moduleManifest';
import { platformFits } from '../core/modules/binaryPlatform';
import { isPlatform, type Platform } from '../core/modules/platforms';
import { prepareBuild } from '../core/modules/upload/preparedBuild';
import { examineDescriptions } from './examineSources';
import { leavesFolder, resolveEscape } from './safePaths';
import { FleetError } from '../core/api/errors';
import {
  MAX_MANIFEST_LENGTH,
  type ParsedManifest,
  parseManifest,
} from '../core/modules/manifest/parseManifest';

/** Paths of a module and its build. */
export interface ModuleSource {
  /** Path of the module's manifest. */
  readonly manifest: string;
  /** Path of the build, a folder or an archive; absent to use the path in the manifest. */
  readonly build?: string | undefined;
  /**
   * True if the user specified the build, in which case the build can be outside the manifest's
   * folder.
   */
  readonly isBuildNamed: boolean;
  /** Target platform; absent to use the platform from the header of the module's program. */
  readonly platform: Platform | undefined;
  /** True (the default) to publish the descriptions that the manifest links to. */
  readonly update?: boolean | undefined;
}

/** Module on this computer: its manifest and the contents of its build. */
export interface PreparedModule {
  /** Absolute path of the manifest's folder. */
  readonly folder: string;
  readonly manifest: ModuleManifest;
  /** Absolute path of the build. */
  readonly buildPath: string;
  readonly facts: BuildFacts;
  /**
   * Target platform; undefined if neither the command line nor the build nor the manifest specifies
   * one.
   */
  readonly platform: Platform | undefined;
  readonly diagnostics: readonly ManifestDiagnostic[];
}

/** Manifest that can't be parsed far enough to inspect its build. */
export interface BrokenManifest {
  readonly manifest: undefined;
  readonly diagnostics: readonly ManifestDiagnostic[];
}

/**
 * Inspects a manifest and its build without calling the service.
 * @throws FleetError `notFound` when the manifest or the build doesn't exist.
 */
export async function prepareModule(
  { manifest: path, build, isBuildNamed, platform, update = true }: ModuleSource,
  reader: BuildReader,
  signal: AbortSignal,
): Promise<PreparedModule | BrokenManifest> {
  const { manifest, problems, folder } = await readModule(path);
  if (!manifest) return { manifest, diagnostics: problems };
  const buildPath = resolve(
    folder,
    build === undefined ? (manifest.build.path ?? '.') : resolve(build),
  );
  const { diagnostics: ofBuild, ...prepared } = await prepareBuild(
    reader,
    { path: buildPath, before: platform },
    manifest,
    { signal },
  );
  const { facts } = prepared;
  // If the header contradicts the file name or the manifest, the editor prompts the user. The
  // command line can't prompt.
  const targetPlatform = platform ?? prepared.expected;
  // Manifests, and the links in their folders, can come from untrusted authors. A path that itself
  // leads out of the folder is reported separately.
  const isChecked = !isBuildNamed && !leavesFolder(relative(folder, buildPath));
  const isOutside = isChecked && (await resolveEscape(folder, buildPath)) !== undefined;
  const diagnostics = [
    ...problems,
    ...(update ? await examineDescriptions(folder, manifest, signal) : []),
    ...(isOutside ? [buildOutside(manifest.build.path ?? '.')] : []),
    ...ofBuild,
    ...(targetPlatform ? misfits(manifest, facts, targetPlatform) : []),
    ...(platform ? unlisted(manifest, platform) : []),
  ];
  return {
    folder,
    manifest,
    buildPath,
    facts,
    platform: platform ?? prepared.platform,
    diagnostics,
  };
}

/** Returns true if a problem prevents uploading the build. */
export function hasErrors(diagnostics: readonly ManifestDiagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** Finds programs that run on a different platform than the target platform. */
function misfits(
  manifest: ModuleManifest,
  { form, entrypoint }: BuildFacts,
  platform: Platform,
): readonly ManifestDiagnostic[] {
  const examined = { form, entrypoint, firstRun: undefined };
  const diagnostics = checkManifest(manifest, examined, { platforms: [platform] });
  return diagnostics.filter(({ code }) => code === 'programPlatform');
}

/**
 * Reports a platform from the command line that the manifest lists neither by name nor as `any`.
 */
function unlisted(
  { build: { arch } }: ModuleManifest,
  platform: Platform,
): readonly ManifestDiagnostic[] {
  const listed = arch.filter(isPlatform);
  if (listed.length === 0 || listed.some((one) => platformFits(platform, one))) return [];
  return [
    {
      code: 'platformUnlisted',
      severity: 'error',
      args: [platform, listed.join(', ')],
      path: ['build', 'arch'],
      fixes: [],
    },
  ];
}

/** Maximum number of bytes of a character in UTF-8 for each UTF-16 unit. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Manifest on this computer, with the fields that could be parsed. */
export interface ReadModule extends Pick<ParsedManifest, 'manifest' | 'problems'> {
  /** Absolute path of the manifest's folder. */
  readonly folder: string;
}

/**
 * Reads and parses the manifest at `path`.
 * @throws FleetError `notFound` if the file doesn't exist, `invalid` if it is too large.
 */
export async function readModule(path: string): Promise<ReadModule> {
  const text = await readText(path).catch((error: unknown) => {
    if (error instanceof FleetError) throw error;
    const message = `There is no manifest at ${path}. Specify its path with --module FILE.`;
    throw new FleetError('notFound', message, { cause: error });
  });
  return { ...parseManifest(text), folder: dirname(resolve(path)) };
}

/** @throws FleetError `invalid` for a file that is too large, and file system errors */
async function readText(path: string): Promise<string> {
  // Opening a pipe would otherwise block a thread until something writes to the pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    const isTooLarge = stats.size > MAX_MANIFEST_LENGTH * MAX_BYTES_PER_CHARACTER;
    if (!isTooLarge) return await file.readFile('utf8');
    throw new FleetError('invalid', `The manifest at ${path} is too large. Specify another file.`);
  } finally {
    await file.close();
  }
}
