import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of all files below a folder; empty if the folder doesn't exist. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
