import { type Node, type ParseError, type ParseOptions, parseTree } from 'jsonc-parser';
import { bareParameters } from '../parameterSlots';

/** Stage as written in a query: an object with one field, which is the stage's name. */
export interface WrittenStage {
  readonly name: string;
  readonly nameNode: Node;
  /** Specification of the stage; absent if it isn't written yet. */
  readonly spec: Node | undefined;
}

/** Parsed pipeline, which can be incomplete. */
export interface PartialPipeline {
  readonly root: Node | undefined;
  readonly errors: readonly ParseError[];
  /** Items in the list. An item can be something other than a stage. */
  readonly items: readonly { readonly node: Node; readonly stage: WrittenStage | undefined }[];
}

/** Allows comments and trailing commas, as in VS Code's configuration files. */
const OPTIONS: ParseOptions = { allowTrailingComma: true, disallowComments: false };

/** Parses a pipeline. Treats parameters outside of strings as strings. */
export function readPipeline(text: string): PartialPipeline {
  const errors: ParseError[] = [];
  const root = parseTree(withoutParameters(text), errors, OPTIONS);
  const items = root?.type === 'array' ? (root.children ?? []) : [];
  return { root, errors, items: items.map((node) => ({ node, stage: parseStage(node) })) };
}

/**
 * Replaces parameters outside strings with strings of the same length, so that offsets don't
 * change.
 */
export function withoutParameters(text: string): string {
  return bareParameters(text).reduce((filled, { start, end }) => {
    const instead = `"${'_'.repeat(end - start - 2)}"`;
    return filled.slice(0, start) + instead + filled.slice(end);
  }, text);
}

/** Returns the stages that are already written in a nested pipeline. */
export function stagesIn(pipeline: Node): readonly WrittenStage[] {
  return pipeline.type === 'array'
    ? (pipeline.children ?? []).flatMap((node) => parseStage(node) ?? [])
    : [];
}

function parseStage({ type, children = [] }: Node): WrittenStage | undefined {
  const [only, another] = children;
  if (type !== 'object' || only === undefined || another !== undefined) return undefined;
  const [nameNode, spec] = only.children ?? [];
  return nameNode && { name: String(nameNode.value), nameNode, spec };
}

/** Returns the fields in an object with their values, if they are already written. */
export function getMembers(
  node: Node | undefined,
): readonly { readonly key: string; readonly keyNode: Node; readonly value: Node | undefined }[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [keyNode, value] = [] }) =>
    keyNode ? [{ key: String(keyNode.value), keyNode, value }] : [],
  );
}

/** Returns the range of a node in its text. */
export function getSpan({ offset, length }: Node): { start: number; end: number } {
  return { start: offset, end: offset + length };
}

/** The cursor's context, and the range that a suggestion replaces. */
export interface MqlCursor {
  /** Start of the typed text; in a string, the position after its quotation mark. */
  readonly from: number;
  /** End of the range to replace, including the closing quotation mark. */
  readonly to: number;
  readonly isQuoted: boolean;
  /** Text after the range. */
  readonly after: string;
}

const BARE = /[$\p{L}\p{N}_.-]*$/u;
/** Strings and comments, including unclosed ones. */
const TOKEN = /"(?:[^"\\\n]|\\[^\n])*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g;

/** Returns the cursor's context at an offset: inside or outside a string. */
export function findCursor(text: string, offset: number): MqlCursor {
  const token = findTokenAt(text, offset);
  if (token?.written.startsWith('"')) {
    // An unclosed string extends to the end of its line, so it includes text that existed before
    // the user typed the quotation mark.
    const to = isClosed(token) ? token.end : offset;
    return { from: token.start + 1, to, isQuoted: true, after: text.slice(to) };
  }
  const from = offset - (BARE.exec(text.slice(0, offset))?.[0].length ?? 0);
  return { from, to: offset, isQuoted: false, after: text.slice(offset) };
}

/** Returns true if the typed text is already followed by a colon. */
export function isKeyBefore({ after }: MqlCursor): boolean {
  return /^\s*:/.test(after);
}

/** Returns true if an offset is within a comment. */
export function isInComment(text: string, offset: number): boolean {
  return findTokenAt(text, offset)?.written.startsWith('/') ?? false;
}

interface Token {
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the string or comment that contains an offset. If the token is unclosed, its end offset
 * also counts as inside.
 */
function findTokenAt(text: string, offset: number): Token | undefined {
  for (const { 0: written, index: start } of text.matchAll(TOKEN)) {
    if (start >= offset) return undefined;
    const token = { written, start, end: start + written.length };
    if (offset < token.end || (offset === token.end && !isClosed(token))) return token;
  }
  return undefined;
}

function isClosed({ written }: Token): boolean {
  if (written.startsWith('"')) return written.length > 1 && written.endsWith('"');
  return written.startsWith('/*') && written.length > 3 && written.endsWith('*/');
}
