/** What could steer a terminal. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** A text on one line, whatever manifests, builds and services have put into it. */
export function oneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}
