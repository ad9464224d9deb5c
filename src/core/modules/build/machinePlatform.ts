import { platformName } from '../../model/packagePlatforms';
import { isPlatform, type Platform } from '../platforms';

/**
 * Returns the registry's name for the platform of a computer; undefined if the registry doesn't
 * support the platform.
 *
 * @param system Node's `process.platform`
 * @param architecture Node's `process.arch`
 */
export function machinePlatform(system: string, architecture: string): Platform | undefined {
  const name = platformName(system, architecture);
  return isPlatform(name) ? name : undefined;
}
