import { findJsonProblems, type JsonProblem } from '../../documents/jsonProblems';
import type { ManifestFinding } from './manifestFinding';

/** Readers of JSON give up far below the depth at which ours would run out of stack. */
const DEEPEST = 100;

/** As the parser takes texts apart: a string that nothing ends goes to the end of its line, a comment to that of the text. */
const TOKENS = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)|[[\]{}]/gs;
const OPENED_BY: Readonly<Record<string, string>> = { ']': '[', '}': '{' };

/** Where lists and objects are nested too deep to be read; undefined when they are not. */
export function findDeepPlace(text: string): number | undefined {
  const open: string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token);
    // Others end nothing, for the parser neither: they must not hide how deep it has to go.
    else if (open.at(-1) === OPENED_BY[token]) open.pop();
    if (open.length > DEEPEST) return index;
  }
  return undefined;
}

/** What keeps a text from being JSON as public tools read it, or makes it say two things at once. */
export function findSyntaxProblems(text: string): readonly ManifestFinding[] {
  // Also what a Struct would lose: of a repeated field, programs read the first or the last.
  return findJsonProblems(text, 'struct').flatMap((problem) => findingOf(problem) ?? []);
}

function findingOf({ code, detail, ...place }: JsonProblem): ManifestFinding | undefined {
  switch (code) {
    case 'numberNotKept':
    case 'numberOutOfRange':
    case 'unpairedSurrogate':
      return undefined;
    default:
      return { code, severity: 'error', args: [detail], path: [], place, fixes: [] };
  }
}
