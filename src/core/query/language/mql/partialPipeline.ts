import { type Node, type ParseError, parseTree, type ParseOptions } from 'jsonc-parser';
import { bareParameters } from './mqlSlots';

/** Stage as written in a text: an object with one field, which is the stage's name. */
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
  /** Items of the list. An item can be something other than a stage. */
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
 * Replaces parameters outside of strings with strings of the same length, so that offsets don't
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

/** Returns the fields of an object with their values, if they are already written. */
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
