/**
 * Returns true for a tag that machines can have, such as `distro:debian`. Machines compare whole
 * tags, which are separated by spaces.
 */
export function isPlatformTag(tag: string): boolean {
  return /^\S+$/.test(tag);
}
