import { isPlatform, type Platform } from '../platforms';

/** `build` section of a manifest, whose commands are the user's own programs. */
export interface BuildInstructions {
  /** Prepares the build computer; runs once, before the first platform. */
  readonly setup?: string | undefined;
  /** Builds for one platform. */
  readonly build?: string | undefined;
  /** Archive or folder that `build` creates, relative to the manifest's folder. */
  readonly path?: string | undefined;
  /** Target platforms of the module. */
  readonly arch?: readonly string[] | undefined;
}

/** Command of a build, in order of execution. */
export interface BuildStep {
  readonly kind: 'setup' | 'build';
  /** Command as written in the manifest. */
  readonly command: string;
  /** Target platform; absent for the setup, and for a build for the host platform. */
  readonly platform: Platform | undefined;
}

/**
 * Returns the commands that build for some platforms, one platform after the other. Without
 * platforms, the build runs once, for the computer that it runs on. Empty if the manifest has no
 * build command.
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

/** Returns the platforms that a manifest lists and the registry knows, each once. */
export function getTargetPlatforms({ arch = [] }: BuildInstructions): readonly Platform[] {
  return [...new Set(arch.filter(isPlatform))];
}

/**
 * Returns the default target platforms: that of this computer if the manifest lists it, otherwise
 * the first that it lists. Empty if it lists none.
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
