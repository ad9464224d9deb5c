/** Characters that can control a terminal. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Returns a text on one line, regardless of what manifests, builds, and services have put into it.
 */
export function oneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}
