/** Characters that can control a terminal. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Converts a text to one line, because manifests, builds, and services can put any characters into
 * it.
 */
export function oneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}
