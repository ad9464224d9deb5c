/** Where programs end lines, though JSON does not: Node's readline at the last two, Python at all. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** A value as JSON that every program takes for one line. Its end is the caller's. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(LINE_ENDS, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
