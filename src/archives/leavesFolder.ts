import { isAbsolute, sep } from 'node:path';

/**
 * Returns true if a path, as returned by `relative`, leads out of its folder or, on Windows, to
 * another drive.
 */
export function leavesFolder(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
