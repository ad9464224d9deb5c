import { findJsonProblems, type JsonProblem } from '../../documents/jsonProblems';
import type { ManifestFinding } from './manifestFinding';

/**
 * Maximum nesting depth. Other JSON parsers fail far below the depth that would exhaust our call
 * stack.
 */
const DEEPEST = 100;

/**
 * Tokens, split the way the parser does: an unclosed string extends to the end of its line, and an
 * unclosed comment to the end of the text.
 */
const TOKENS = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)|[[\]{}]/gs;
const OPENED_BY: Readonly<Record<string, string>> = { ']': '[', '}': '{' };

/**
 * Returns the offset at which lists and objects are nested too deeply; undefined if they aren't.
 */
export function findTooDeepOffset(text: string): number | undefined {
  const open: string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token);
    // The parser ignores mismatched brackets, so they must not hide the nesting depth.
    else if (open.at(-1) === OPENED_BY[token]) open.pop();
    if (open.length > DEEPEST) return index;
  }
  return undefined;
}

/** Reports syntax that makes a text ambiguous or invalid as JSON for public tools. */
export function findSyntaxProblems(text: string): readonly ManifestFinding[] {
  // Also reports values that a Struct would lose, such as repeated fields. Some programs read the
  // first of them, others the last.
  return findJsonProblems(text, 'struct').flatMap((problem) => toFinding(problem) ?? []);
}

function toFinding({ code, detail, ...place }: JsonProblem): ManifestFinding | undefined {
  switch (code) {
    case 'numberNotKept':
    case 'numberOutOfRange':
    case 'unpairedSurrogate':
      return undefined;
    default:
      return { code, severity: 'error', args: [detail], path: [], range: place, fixes: [] };
  }
}
