import { findJsonProblems, type JsonProblem } from '../../documents/jsonProblems';
import type { ManifestFinding } from './manifestFinding';

/** Readers of JSON give up far below the depth at which ours would run out of stack. */
const DEEPEST = 100;

const STRINGS_AND_BRACKETS = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

/** Where lists and objects are nested too deep to be read; undefined when they are not. */
export function findDeepPlace(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(STRINGS_AND_BRACKETS)) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > DEEPEST) return index;
  }
  return undefined;
}

/** What keeps a text from being JSON as public tools read it, or makes it say two things at once. */
export function findSyntaxProblems(text: string): readonly ManifestFinding[] {
  // Also what a Struct would lose: of a repeated field, programs read the first or the last.
  return findJsonProblems(text, 'struct').flatMap((problem) => findingOf(problem) ?? []);
}

function findingOf({ code, detail, ...place }: JsonProblem): ManifestFinding | undefined {
  if (code === 'numberNotKept') return undefined;
  return { code, severity: 'error', args: [detail], path: [], place, fixes: [] };
}
