/**
 * Characters that end lines in some programs but not in JSON. Python treats all of these characters
 * as line endings; Node's readline treats only the last two as line endings.
 */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * Formats a value as JSON that every program reads as one line. The caller adds the line ending.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(LINE_ENDS, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
