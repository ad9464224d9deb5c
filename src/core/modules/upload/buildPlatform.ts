import { platformFits } from '../binaryPlatform';
import type { BuildFacts } from '../buildFacts';
import { isPlatform, type Platform, PLATFORMS } from '../platforms';

/** What else than the build itself says for which platform it is. */
export interface PlatformHints {
  /** Of the archive or folder: builds for several platforms have theirs in the name. */
  readonly path: string;
  /** The platforms of the manifest, as written. */
  readonly arch: readonly string[];
  /** For which the build of this path was uploaded before. */
  readonly before?: Platform | undefined;
}

/** For which platform a build is. */
export interface BuildPlatform {
  /** Absent when nothing tells. */
  readonly platform: Platform | undefined;
  /** What was to be expected, when the program of the entrypoint is for something else. */
  readonly expected: Platform | undefined;
}

/**
 * The platform that a build is uploaded for: the one its program runs on, as its header says; of scripts,
 * the one in the name, the last one, or the only one of the manifest.
 */
export function buildPlatform(
  { entrypoint }: Pick<BuildFacts, 'entrypoint'>,
  { path, arch, before }: PlatformHints,
): BuildPlatform {
  const known = arch.filter(isPlatform);
  const expected = platformInName(path) ?? before ?? (known.length === 1 ? known[0] : undefined);
  const found = entrypoint?.platform;
  if (!found) return { platform: expected, expected: undefined };
  // The header of a program tells less than a name may: which ARM, or which processor of a fat one.
  const isFit = expected && platformFits(found, expected);
  if (isFit) return { platform: expected, expected: undefined };
  const named = known.find((platform) => platformFits(found, platform));
  return { platform: named ?? found, expected };
}

/** The platform in the name of a file, such as `archive-linux-arm64.tar.gz`. */
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
