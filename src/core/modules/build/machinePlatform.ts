import { platformName } from '../../model/packagePlatforms';
import { isPlatform, type Platform } from '../platforms';

/**
 * The platform of a machine in the registry's words; undefined where the registry has none for it.
 *
 * @param system as Node's `process.platform`
 * @param architecture as Node's `process.arch`
 */
export function machinePlatform(system: string, architecture: string): Platform | undefined {
  const name = platformName(system, architecture);
  return isPlatform(name) ? name : undefined;
}
