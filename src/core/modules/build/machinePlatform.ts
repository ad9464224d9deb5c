import { isPlatform, type Platform } from '../platforms';

const SYSTEMS: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
  ['arm', 'arm32v7'],
]);

/**
 * The platform of a machine in the registry's words; undefined where the registry has none for it.
 *
 * @param system as Node's `process.platform`
 * @param architecture as Node's `process.arch`
 */
export function machinePlatform(system: string, architecture: string): Platform | undefined {
  const name = `${SYSTEMS.get(system) ?? system}/${ARCHITECTURES.get(architecture) ?? architecture}`;
  return isPlatform(name) ? name : undefined;
}
