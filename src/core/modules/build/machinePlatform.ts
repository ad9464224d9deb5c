import { platformName } from '../../model/packagePlatforms';
import { isPlatform, type Platform } from '../platforms';

/**
 * Returns the platform of a computer by its registry name; undefined if the registry doesn't have
 * it.
 *
 * @param system Node's `process.platform`
 * @param architecture Node's `process.arch`
 */
export function machinePlatform(system: string, architecture: string): Platform | undefined {
  const name = platformName(system, architecture);
  return isPlatform(name) ? name : undefined;
}
