import { stripVTControlCharacters } from 'node:util';
import type { StageResult } from './stages';

/** Numbers of passed and failed tests. */
export interface Tally {
  passed: number;
  failed: number;
}

const ownLine = /^(\d+) passed, (\d+) failed$/gm;
const mochaPassing = /^\s*(\d+) passing\b/gm;
const mochaFailing = /^\s*(\d+) failing\b/gm;

function lastNumber(text: string, pattern: RegExp): number | undefined {
  const found = [...text.matchAll(pattern)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * Parses the test counts in a stage's output, from either our own summary line or mocha's. A stage
 * without counts counts as one test. A stage that fails even though none of its tests failed counts
 * as one additional failure.
 */
export function tally({ output, exitCode }: Pick<StageResult, 'output' | 'exitCode'>): Tally {
  const text = stripVTControlCharacters(output);
  const own = [...text.matchAll(ownLine)].at(-1);
  const passed = own === undefined ? lastNumber(text, mochaPassing) : Number(own[1]);
  const failed = own === undefined ? lastNumber(text, mochaFailing) : Number(own[2]);
  if (exitCode !== 0) return { passed: passed ?? 0, failed: Math.max(failed ?? 0, 1) };
  return passed === undefined ? { passed: 1, failed: 0 } : { passed, failed: failed ?? 0 };
}

/** Adds up the counts. */
export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
  };
}

const tailLines = 40;

/**
 * Returns mocha's report of failed tests or, if the program exited without a report, the last lines
 * of its output.
 */
export function extractFailures(output: string): string {
  const text = stripVTControlCharacters(output).trimEnd();
  const start = [...text.matchAll(mochaFailing)].at(-1)?.index;
  return start === undefined ? text.split('\n').slice(-tailLines).join('\n') : text.slice(start);
}
