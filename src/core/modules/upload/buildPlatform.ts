import { platformFits } from '../binaryPlatform';
import type { BuildFacts } from '../buildFacts';
import { isPlatform, type Platform, PLATFORMS } from '../platforms';

/** Hints about the platform of a build, in addition to the build itself. */
export interface PlatformHints {
  /** Path of the archive or folder: builds for several platforms have theirs in the name. */
  readonly path: string;
  /** Platforms of the manifest, as written. */
  readonly arch: readonly string[];
  /** Platform of the last upload from this path. */
  readonly before?: Platform | undefined;
}

/** Platform of a build. */
export interface BuildPlatform {
  /** Absent if it can't be determined. */
  readonly platform: Platform | undefined;
  /** Expected platform, if the program of the entrypoint is for another one. */
  readonly expected: Platform | undefined;
}

/**
 * Determines the platform for uploading a build: that of its program according to its header; for
 * scripts, the one in the name, the last used one, or the only one in the manifest.
 */
export function buildPlatform(
  { entrypoint }: Pick<BuildFacts, 'entrypoint'>,
  { path, arch, before }: PlatformHints,
): BuildPlatform {
  const known = arch.filter(isPlatform);
  const expected = platformInName(path) ?? before ?? (known.length === 1 ? known[0] : undefined);
  const found = entrypoint?.platform;
  if (!found) return { platform: expected, expected: undefined };
  // The header of a program can be less specific than a name: the ARM version, or the architecture
  // of a universal binary.
  const isFit = expected && platformFits(found, expected);
  if (isFit) return { platform: expected, expected: undefined };
  const named = known.find((platform) => platformFits(found, platform));
  return { platform: named ?? found, expected };
}

/** Returns the platform in the name of a file, such as `archive-linux-arm64.tar.gz`. */
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
