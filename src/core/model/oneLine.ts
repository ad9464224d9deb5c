/** Characters that can control a terminal. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Converts a text to one line, because texts from manifests, builds, and services can contain any
 * characters.
 */
export function oneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}
