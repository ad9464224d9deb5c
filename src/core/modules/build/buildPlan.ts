import { isPlatform, type Platform } from '../platforms';

/** What the `build` section of a manifest says, whose commands are the user's own programs. */
export interface BuildInstructions {
  /** Prepares the machine that builds; runs once, before the first platform. */
  readonly setup?: string | undefined;
  /** Builds for one platform. */
  readonly build?: string | undefined;
  /** The archive or folder that `build` makes, relative to the manifest's folder. */
  readonly path?: string | undefined;
  /** The platforms that the module is built for. */
  readonly arch?: readonly string[] | undefined;
}

/** One command of a build, in the order in which they run. */
export interface BuildStep {
  readonly kind: 'setup' | 'build';
  /** As the manifest has it. */
  readonly command: string;
  /** What a build is for; absent where it is for whatever it runs on, and of the setup. */
  readonly platform: Platform | undefined;
}

/**
 * The commands that build for some platforms, one platform after the other; without platforms the
 * build runs once, for the machine that it runs on. None where the manifest has no build command.
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

/** The platforms that a manifest names and the registry knows, each once. */
export function platformsOf({ arch = [] }: BuildInstructions): readonly Platform[] {
  return [...new Set(arch.filter(isPlatform))];
}

/**
 * What a build is for when nobody says it: this machine where the manifest names it, or the first
 * platform that it names. None where it names none.
 *
 * @param own the platform of this machine
 */
export function usualPlatforms(
  instructions: BuildInstructions,
  own: Platform | undefined,
): readonly Platform[] {
  const named = platformsOf(instructions);
  const usual = named.find((platform) => platform === own) ?? named[0];
  return usual === undefined ? [] : [usual];
}
