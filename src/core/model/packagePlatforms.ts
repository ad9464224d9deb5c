const ANY = 'any';

/** Returns the platforms whose archives run on a platform, the best match first. */
export function platformsFor(platform: string): string[] {
  const [system = ''] = platform.split('/');
  return [...new Set([platform, `${system}/${ANY}`, ANY])];
}

const SYSTEMS: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
  ['arm', 'arm32v7'],
]);

/**
 * Combines a system and an architecture into a platform name, even one that the registry doesn't
 * know.
 *
 * @param system Node's `process.platform`
 * @param architecture Node's `process.arch`
 */
export function platformName(system: string, architecture: string): string {
  return `${SYSTEMS.get(system) ?? system}/${ARCHITECTURES.get(architecture) ?? architecture}`;
}
