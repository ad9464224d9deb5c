import { isAbsolute, sep } from 'node:path';

/** Whether a way from a folder, as `relative` tells it, leads out of it; on Windows also to another drive. */
export function leavesFolder(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
