import { stripVTControlCharacters } from 'node:util';
import { runStage, type Stage, type StageResult } from './stages';

/** What a stage came to that may be run once more. */
export interface TriedTwice {
  /** Of the last try, which alone counts. */
  result: StageResult;
  /** Why the first try failed, when the second one passed. */
  firstFailure?: string;
}

const mark = 'FLAKY';
const flakyLine = new RegExp(`^${mark}  .*$`, 'gm');
const mochaFailures = /^\s*\d+ failing$/gm;
const tailLines = 40;

/**
 * Runs a stage, and once more from the beginning if it failed. A second pass is no clean one: say so
 * with `flakyText`.
 */
export async function runUpToTwice(stage: Stage, { echo }: { echo: boolean }): Promise<TriedTwice> {
  const first = await runStage(stage, { echo });
  if (first.exitCode === 0) return { result: first };
  if (echo) console.log(`\n${stage.name} failed; once more from the beginning.`);
  const result = await runStage(stage, { echo });
  if (result.exitCode !== 0) return { result };
  return { result, firstFailure: failureText(first.output) };
}

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
