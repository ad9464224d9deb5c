import { join } from 'node:path';

/** The repository's root folder, absolute. Every script works from here, whatever its caller's folder is. */
export const root = join(__dirname, '..', '..');

/** A path below the repository's root, absolute. */
export function fromRoot(...segments: string[]): string {
  return join(root, ...segments);
}
