/**
 * Returns true for a tag that machines can have, such as `distro:debian`: machines compare whole
 * tags and separate them by spaces.
 */
export function isPlatformTag(tag: string): boolean {
  return /^\S+$/.test(tag);
}
