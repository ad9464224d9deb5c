import type { BuildFacts, BuildReader, NamedFiles, ReadBuildOptions } from '../buildFacts';
import { checkManifest } from '../manifest/checkManifest';
import type { ManifestDiagnostic } from '../manifest/manifestDiagnostic';
import type { ModuleManifest } from '../manifest/moduleManifest';
import { isPlatform, type Platform, PLATFORMS } from '../platforms';
import { platformFits } from '../binaryPlatform';

/** Build that was inspected before the upload. */
export interface PreparedBuild extends BuildPlatform {
  /** Absolute path on this computer. */
  readonly path: string;
  readonly facts: BuildFacts;
  /** Problems that prevent the build from being uploaded or started on any platform. */
  readonly diagnostics: readonly ManifestDiagnostic[];
}

/**
 * Inspects a build and compares it with its manifest.
 * @param before platform of the last upload from this path
 * @throws file system errors if the build doesn't exist
 */
export async function prepareBuild(
  reader: BuildReader,
  { path, before }: { readonly path: string; readonly before?: Platform | undefined },
  manifest: ModuleManifest | undefined,
  options: ReadBuildOptions,
): Promise<PreparedBuild> {
  const facts = await reader.inspect(path, namedFiles(manifest), options);
  const arch = manifest?.build.arch ?? [];
  return {
    path,
    facts,
    ...buildPlatform(facts, { path, arch, before }),
    diagnostics: manifest ? checkBuilt(manifest, facts) : toContentDiagnostics(facts),
  };
}

/** Returns the files in a build that its manifest specifies. */
export function namedFiles(
  manifest: Pick<ModuleManifest, 'entrypoint' | 'firstRun'> | undefined,
): NamedFiles {
  return {
    entrypoint: manifest?.entrypoint || undefined,
    firstRun: manifest?.firstRun || undefined,
  };
}

/**
 * Checks a build against its manifest. The folder is uploaded as is, so files that are missing from
 * it won't be built later.
 */
function checkBuilt(manifest: ModuleManifest, facts: BuildFacts): readonly ManifestDiagnostic[] {
  const built = { ...manifest, build: { ...manifest.build, build: undefined } };
  // The user is prompted for the platform later, so a mismatch isn't an error here.
  return checkManifest(built, facts, { platforms: [] });
}

function toContentDiagnostics({ problems }: BuildFacts): readonly ManifestDiagnostic[] {
  return problems.map(({ code, path, target = '' }) => ({
    code,
    severity: 'error' as const,
    args: [path, target],
    path: [],
    fixes: [],
  }));
}

/** Hints about the platform of a build, in addition to the build itself. */
export interface PlatformHints {
  /**
   * Path of the archive or folder. Builds for multiple platforms have the platform in their names.
   */
  readonly path: string;
  /** Platforms in the manifest, as written. */
  readonly arch: readonly string[];
  /** Platform of the last upload from this path. */
  readonly before?: Platform | undefined;
}

/** Platform of a build. */
interface BuildPlatform {
  /** Platform; absent if it can't be determined. */
  readonly platform: Platform | undefined;
  /** Expected platform, if the program at the entrypoint was built for a different one. */
  readonly expected: Platform | undefined;
}

/**
 * Determines the platform for uploading a build. For a program, uses the platform in its header.
 * For a script, uses the platform in the build's name, the last used platform, or the only platform
 * in the manifest.
 */
export function buildPlatform(
  { entrypoint }: Pick<BuildFacts, 'entrypoint'>,
  { path, arch, before }: PlatformHints,
): BuildPlatform {
  const known = arch.filter(isPlatform);
  const expected = platformInName(path) ?? before ?? (known.length === 1 ? known[0] : undefined);
  const found = entrypoint?.platform;
  if (!found) return { platform: expected, expected: undefined };
  // A name can be more specific than a program's header. It can contain the ARM version, or the
  // architecture of a universal binary.
  const isFit = expected && platformFits(found, expected);
  if (isFit) return { platform: expected, expected: undefined };
  const named = known.find((platform) => platformFits(found, platform));
  return { platform: named ?? found, expected };
}

/** Returns the platform in a file name, such as `archive-linux-arm64.tar.gz`. */
function platformInName(path: string): Platform | undefined {
  const name = path.slice(path.search(/[^/\\]*[/\\]*$/));
  return PLATFORMS.find(
    (platform) => platform !== 'any' && hasWord(name, platform.replace('/', '-')),
  );
}

function hasWord(name: string, word: string): boolean {
  const at = name.indexOf(`-${word}`);
  const after = at < 0 ? 'x' : name.charAt(at + word.length + 1);
  return !/[0-9a-z]/i.test(after);
}
