const ANY = 'any';

/** The platforms whose archives run on a platform, the best suited first. */
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
 * A system and an architecture in the registry's words, which may not know them.
 *
 * @param system as Node's `process.platform`
 * @param architecture as Node's `process.arch`
 */
export function platformName(system: string, architecture: string): string {
  return `${SYSTEMS.get(system) ?? system}/${ARCHITECTURES.get(architecture) ?? architecture}`;
}
