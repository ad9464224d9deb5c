import { stripVTControlCharacters } from 'node:util';

const mark = 'FLAKY';
const flakyLine = new RegExp(`^${mark}  .*$`, 'gm');
const mochaFailures = /^\s*\d+ failing$/gm;
const tailLines = 40;

/** What mocha says of the tests that failed; the last lines of a program that ended without it. */
export function failureText(output: string): string {
  const text = stripVTControlCharacters(output).trimEnd();
  const start = [...text.matchAll(mochaFailures)].at(-1)?.index;
  return start === undefined ? text.split('\n').slice(-tailLines).join('\n') : text.slice(start);
}

/** Tells, hard to overlook, that a stage passed only the second time, and what the first try said. */
export function flakyText(name: string, firstFailure: string): string {
  const quoted = firstFailure.trim().replaceAll(/^/gm, '  | ');
  return `${mark}  ${name}: failed, then passed on a second try. The first failure:\n${quoted}`;
}

/** The headlines of `flakyText` in what a program wrote, to be said again at the end. */
export function flakyLines(output: string): string[] {
  return stripVTControlCharacters(output).match(flakyLine) ?? [];
}
