import { join } from 'node:path';

/**
 * Absolute path of the repository's root folder. Every script uses it, regardless of the folder in
 * which it was started.
 */
export const root = join(__dirname, '..', '..');

/** Returns the absolute path for a path below the repository's root. */
export function fromRoot(...segments: string[]): string {
  return join(root, ...segments);
}
