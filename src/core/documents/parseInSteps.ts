import { createScanner, type Node, type NodeType } from 'jsonc-parser';

/** Number of tokens per step. */
const STEP_TOKENS = 500;

/** Kinds of tokens. The library declares them as a const enum, which isn't available here. */
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  end: 17,
} as const;

/** Node of a tree that isn't complete. */
type OpenNode = { -readonly [K in keyof Node]: Node[K] };

/** Parsed strict JSON. */
export interface ParsedJson {
  /** The value. Numbers are doubles, so their digits can differ from those in the text. */
  readonly value: unknown;
  /** The syntax tree, as `parseStrictTree` returns it. */
  readonly tree: Node;
}

/**
 * Parses strict JSON in steps. The library can only parse an entire text at once, which takes too
 * long for a large text. The JavaScript engine's parser is fast enough but doesn't return positions.
 *
 * @returns undefined if the text is invalid.
 */
export function* parseJsonInSteps(
  text: string,
): Generator<undefined, ParsedJson | undefined, void> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  yield;
  const tree = yield* buildTree(text);
  return tree && { value, tree };
}

/** Returns the syntax tree of a valid text. */
function* buildTree(text: string): Generator<undefined, Node | undefined, void> {
  const scanner = createScanner(text, true);
  /** Objects, properties, and lists that aren't complete. */
  const open: OpenNode[] = [];
  let root: Node | undefined;

  const add = (type: NodeType, value?: unknown): OpenNode => {
    const [offset, length] = [scanner.getTokenOffset(), scanner.getTokenLength()];
    const node: OpenNode = { type, offset, length };
    if (type === 'object' || type === 'array' || type === 'property') node.children = [];
    else node.value = value;
    const parent = open.at(-1);
    if (parent) {
      node.parent = parent;
      parent.children?.push(node);
    }
    root ??= node;
    return node;
  };
  const finish = ({ offset, length }: Node): void => {
    const property = open.at(-1);
    if (property?.type !== 'property') return;
    property.length = offset + length - property.offset;
    open.pop();
  };

  for (let count = 1; ; count += 1) {
    if (count % STEP_TOKENS === 0) yield;
    const kind: number = scanner.scan();
    switch (kind) {
      case TOKEN.openBrace:
        open.push(add('object'));
        break;
      case TOKEN.openBracket:
        open.push(add('array'));
        break;
      case TOKEN.closeBrace:
      case TOKEN.closeBracket: {
        const node = open.pop();
        if (!node) return undefined;
        node.length = scanner.getTokenOffset() + 1 - node.offset;
        finish(node);
        break;
      }
      case TOKEN.string:
        if (open.at(-1)?.type === 'object') {
          open.push(add('property'));
          add('string', scanner.getTokenValue());
        } else {
          finish(add('string', scanner.getTokenValue()));
        }
        break;
      case TOKEN.number:
        finish(add('number', Number(scanner.getTokenValue())));
        break;
      case TOKEN.true:
      case TOKEN.false:
        finish(add('boolean', kind === TOKEN.true));
        break;
      case TOKEN.null:
        finish(add('null', null));
        break;
      case TOKEN.colon: {
        const property = open.at(-1);
        if (property) property.colonOffset = scanner.getTokenOffset();
        break;
      }
      case TOKEN.comma:
        break;
      default:
        // The end, as the text is valid.
        return kind === TOKEN.end ? root : undefined;
    }
  }
}
