import { isPlatform, type Platform } from './platforms';
import { platformName } from '../model/packageNames';

/** The `build` section of a manifest. Its commands are the user's own programs. */
export interface BuildInstructions {
  /**
   * Command that prepares the build computer. Runs once, before the build for the first platform.
   */
  readonly setup?: string | undefined;
  /** Command that builds for one platform. */
  readonly build?: string | undefined;
  /** Path of the archive or folder that `build` creates, relative to the manifest's folder. */
  readonly path?: string | undefined;
  /** Target platforms of the module. */
  readonly arch?: readonly string[] | undefined;
}

/** Command that a build runs. */
export interface BuildStep {
  readonly kind: 'setup' | 'build';
  /** Command as written in the manifest. */
  readonly command: string;
  /** Target platform; absent for the setup, and for a build for the host platform. */
  readonly platform: Platform | undefined;
}

/**
 * Returns the commands that build for the given platforms, one platform after the other. Without
 * platforms, the build runs once, for the host platform. Empty if the manifest has no build
 * command.
 */
export function planBuild(
  { setup = '', build = '' }: BuildInstructions,
  platforms: readonly Platform[],
): readonly BuildStep[] {
  if (build.trim() === '') return [];
  const targets: readonly (Platform | undefined)[] = platforms.length > 0 ? platforms : [undefined];
  const steps = targets.map((platform) => ({ kind: 'build' as const, command: build, platform }));
  return setup.trim() === ''
    ? steps
    : [{ kind: 'setup', command: setup, platform: undefined }, ...steps];
}

/** Returns the distinct platforms that a manifest lists and that the registry supports. */
export function getTargetPlatforms({ arch = [] }: BuildInstructions): readonly Platform[] {
  return [...new Set(arch.filter(isPlatform))];
}

/**
 * Returns the default target platforms: the platform of this computer if the manifest lists it,
 * otherwise the first platform that the manifest lists. Empty if the manifest lists none.
 *
 * @param own platform of this computer
 */
export function usualPlatforms(
  instructions: BuildInstructions,
  own: Platform | undefined,
): readonly Platform[] {
  const named = getTargetPlatforms(instructions);
  const usual = named.find((platform) => platform === own) ?? named[0];
  return usual === undefined ? [] : [usual];
}

const ENDING = /((?<=[^/\\])(?:\.tar\.gz|\.tgz|\.[^./\\]+))?$/i;

/**
 * Returns the path at which to save the build for one platform if the builds for multiple platforms
 * have the same path. The saved build is next to that path, with the platform in its name:
 * `dist/archive.tar.gz` for `linux/arm64` is saved as `dist/archive-linux-arm64.tar.gz`.
 *
 * @param path `build.path` of the manifest
 */
export function platformArchive(path: string, platform: Platform): string {
  const trimmed = path.replace(/[/\\]+$/, '');
  return trimmed.replace(ENDING, (ending: string) => `-${platform.replaceAll('/', '-')}${ending}`);
}

/**
 * Returns the environment variables that specify a build's target platform. Existing build scripts
 * use these names, such as `GOOS=$(VIAM_BUILD_OS) GOARCH=$(VIAM_BUILD_ARCH) go build`. Empty for
 * `any` and if there is no platform.
 */
export function platformEnvironment(
  platform: Platform | undefined,
): Readonly<Record<string, string>> {
  if (platform === undefined || platform === 'any') return {};
  const [system = '', architecture = ''] = platform.split('/');
  return {
    VIAM_BUILD_OS: system,
    VIAM_BUILD_ARCH: architecture,
    VIAM_TARGET_OS: system,
  };
}

/**
 * Returns the registry's name for a computer's platform; undefined if the registry doesn't support
 * the platform.
 *
 * @param system Node's `process.platform`
 * @param architecture Node's `process.arch`
 */
export function machinePlatform(system: string, architecture: string): Platform | undefined {
  const name = platformName(system, architecture);
  return isPlatform(name) ? name : undefined;
}

/**
 * Marker file in folders that contain saved builds for multiple platforms. The file isn't uploaded.
 */
export const BUILD_MARKER = '.fleetwright-build';
