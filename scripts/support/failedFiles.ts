import { stripVTControlCharacters } from 'node:util';

const mark = 'FAILED FILE';
const line = new RegExp(`^${mark}  (.*)$`, 'gm');

/** Names a file with a test that failed, on a line of its own. */
export function failedFileLine(path: string): string {
  return `${mark}  ${path}`;
}

/** The files that a run named so, without doubles. */
export function failedFiles(output: string): readonly string[] {
  const found = stripVTControlCharacters(output).matchAll(line);
  return [...new Set([...found].map(([, path = '']) => path))];
}
