import { type Node, type ParseError, parseTree, type ParseOptions } from 'jsonc-parser';
import { bareParameters } from './mqlSlots';

/** A stage as it is written: an object with one field, its name. */
export interface WrittenStage {
  readonly name: string;
  readonly nameNode: Node;
  /** Absent while it is not written yet. */
  readonly spec: Node | undefined;
}

/** A pipeline as far as it can be read. */
export interface PipelineText {
  readonly root: Node | undefined;
  readonly errors: readonly ParseError[];
  /** What stands in the list, with those that are no stages. */
  readonly items: readonly { readonly node: Node; readonly stage: WrittenStage | undefined }[];
}

/** Comments and trailing commas are allowed, as in the files of VS Code. */
const OPTIONS: ParseOptions = { allowTrailingComma: true, disallowComments: false };

/** Reads a pipeline. Parameters in the place of values are taken for texts. */
export function readPipeline(text: string): PipelineText {
  const errors: ParseError[] = [];
  const root = parseTree(withoutParameters(text), errors, OPTIONS);
  const items = root?.type === 'array' ? (root.children ?? []) : [];
  return { root, errors, items: items.map((node) => ({ node, stage: stageOf(node) })) };
}

/** The text with texts of the same length where bare parameters are: no place in it moves. */
export function withoutParameters(text: string): string {
  return bareParameters(text).reduce((filled, { start, end }) => {
    const instead = `"${'_'.repeat(end - start - 2)}"`;
    return filled.slice(0, start) + instead + filled.slice(end);
  }, text);
}

/** The stages of a pipeline within a stage, as far as they are written. */
export function stagesIn(pipeline: Node): readonly WrittenStage[] {
  return pipeline.type === 'array'
    ? (pipeline.children ?? []).flatMap((node) => stageOf(node) ?? [])
    : [];
}

function stageOf({ type, children = [] }: Node): WrittenStage | undefined {
  const [only, another] = children;
  if (type !== 'object' || only === undefined || another !== undefined) return undefined;
  const [nameNode, spec] = only.children ?? [];
  return nameNode && { name: String(nameNode.value), nameNode, spec };
}

/** The fields of an object, with what is known of their values. */
export function membersOf(
  node: Node | undefined,
): readonly { readonly key: string; readonly keyNode: Node; readonly value: Node | undefined }[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [keyNode, value] = [] }) =>
    keyNode ? [{ key: String(keyNode.value), keyNode, value }] : [],
  );
}

/** The place of a node in the text. */
export function spanOf({ offset, length }: Node): { start: number; end: number } {
  return { start: offset, end: offset + length };
}
