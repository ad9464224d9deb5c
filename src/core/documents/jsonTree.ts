import { createScanner, type NodeType } from 'jsonc-parser';
import type { SyntaxNode } from '../fragments/configValue';

/** Number of tokens per step. */
const STEP_TOKENS = 1000;

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

/** Kinds of nodes, as stored in a tree. */
const KIND = { object: 0, array: 1, property: 2, string: 3, number: 4, boolean: 5, null: 6 };
/** String whose text differs from its value, because it has escapes or no closing quote. */
const ENCODED_STRING = 7;
/** Added to the kind of an object or list without a closing bracket. */
const UNCLOSED = 8;

const TYPES: readonly NodeType[] = [
  ...(['object', 'array', 'property', 'string', 'number', 'boolean', 'null'] as const),
  'string',
];

/** Numbers that are stored for each node: its position, and its relations to other nodes. */
const COLUMNS = 4;
const START = 0;
const END = 1;
const PARENT = 2;
/** The first node that isn't in the node's subtree. */
const NEXT = 3;

/** Rough number of characters per node, which determines the initial size of a tree. */
const CHARACTERS_PER_NODE = 10;

const NONE = -1;

/** Parsed JSON. */
export interface ParsedJson {
  /**
   * The value; undefined if the text isn't strict JSON. Numbers are doubles, so their digits can
   * differ from those in the text.
   */
  readonly value: unknown;
  /** The syntax tree; undefined if the text contains no value. */
  readonly tree: JsonNode | undefined;
}

/**
 * Parses JSON in steps, also if it has syntax errors, as it has while it is edited. The library can
 * only parse an entire text synchronously, which takes too long for a large text. The JavaScript
 * engine's parser is fast enough but doesn't return positions.
 */
export function* parseJsonInSteps(text: string): Generator<undefined, ParsedJson, void> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Invalid JSON has no value.
  }
  yield;
  const tree = yield* new TreeBuilder(text).build();
  return { value, tree: tree.root };
}

/**
 * Node in the syntax tree of a JSON text. Only a view of the tree: nodes are created when they are
 * read, so the same node can be represented by several objects. To identify a value, use its
 * offset.
 */
export class JsonNode implements SyntaxNode {
  readonly type: NodeType;
  readonly offset: number;
  readonly length: number;

  constructor(
    private readonly tree: JsonTree,
    private readonly index: number,
  ) {
    this.type = tree.type(index);
    this.offset = tree.get(index, START);
    this.length = tree.get(index, END) - this.offset;
  }

  /** The value of a string, number, boolean, or null; undefined for other nodes. */
  get value(): unknown {
    return this.tree.value(this.index);
  }

  get parent(): JsonNode | undefined {
    const parent = this.tree.get(this.index, PARENT);
    return parent === NONE ? undefined : new JsonNode(this.tree, parent);
  }

  /** The inner nodes; undefined if the node can't have any. */
  get children(): readonly JsonNode[] | undefined {
    if (this.type !== 'object' && this.type !== 'array' && this.type !== 'property') {
      return undefined;
    }
    // Without the iterator of `inner`, which takes more time than creating the nodes.
    const nodes: JsonNode[] = [];
    const { tree, index } = this;
    const end = tree.get(index, NEXT);
    for (let at = index + 1; at < end; at = tree.get(at, NEXT)) nodes.push(new JsonNode(tree, at));
    return nodes;
  }

  /** The path from the root: the keys of members and the indexes of elements. */
  get path(): (string | number)[] {
    const { parent } = this;
    if (parent?.type === 'array') return [...parent.path, parent.indexOf(this)];
    if (parent?.type !== 'property') return parent?.path ?? [];
    return [...parent.path, String(parent.children?.[0]?.value)];
  }

  /** True for an object or list without a closing bracket. */
  get isUnclosed(): boolean {
    return this.tree.isUnclosed(this.index);
  }

  /** True if the tree has more levels than `depth` below its root. */
  isDeeperThan(depth: number): boolean {
    return this.tree.depth > depth;
  }

  /** Returns the inner nodes one after another, without creating a list of them. */
  *inner(): Generator<JsonNode, void, void> {
    const { tree, index } = this;
    const end = tree.get(index, NEXT);
    for (let at = index + 1; at < end; at = tree.get(at, NEXT)) yield new JsonNode(tree, at);
  }

  /** Returns the keys and values of an object, without properties that have no value yet. */
  *members(): Generator<readonly [key: JsonNode, value: JsonNode], void, void> {
    const { tree, index } = this;
    const end = this.type === 'object' ? tree.get(index, NEXT) : 0;
    for (let at = index + 1; at < end; at = tree.get(at, NEXT)) {
      // The value follows the key.
      if (tree.hasValue(at)) yield [new JsonNode(tree, at + 1), new JsonNode(tree, at + 2)];
    }
  }

  /** Returns the value at a path; undefined if the path doesn't exist. */
  find(path: readonly (string | number)[]): JsonNode | undefined {
    const [step, ...rest] = path;
    if (step === undefined) return new JsonNode(this.tree, this.index);
    const inner = typeof step === 'string' ? this.member(step)?.[1] : this.element(step);
    return inner?.find(rest);
  }

  /**
   * Returns the innermost value or property that contains an offset; undefined if none does. An
   * offset at the end of a value is in the value.
   */
  findAt(offset: number): JsonNode | undefined {
    if (offset < this.offset || offset > this.offset + this.length) return undefined;
    for (const inner of this.inner()) {
      if (inner.offset > offset) break;
      const found = inner.findAt(offset);
      if (found) return found;
    }
    return this;
  }

  private indexOf(element: JsonNode): number {
    let index = 0;
    for (const inner of this.inner()) {
      if (inner.offset === element.offset) break;
      index += 1;
    }
    return index;
  }

  private element(step: number): JsonNode | undefined {
    if (this.type !== 'array') return undefined;
    let index = 0;
    for (const inner of this.inner()) {
      if (index === step) return inner;
      index += 1;
    }
    return undefined;
  }

  /**
   * Returns the key and the value of a member of an object; undefined if the object has no such
   * member or it has no value yet. For duplicate keys, the last member wins.
   */
  member(name: string): readonly [key: JsonNode, value: JsonNode] | undefined {
    const { tree, index } = this;
    if (this.type !== 'object') return undefined;
    const end = tree.get(index, NEXT);
    let found = NONE;
    for (let at = index + 1; at < end; at = tree.get(at, NEXT)) {
      if (tree.hasValue(at) && tree.isString(at + 1, name)) found = at + 1;
    }
    if (found === NONE) return undefined;
    return [new JsonNode(tree, found), new JsonNode(tree, found + 1)];
  }
}

/**
 * Syntax tree in arrays of numbers. An object for each node would take 20 times as much memory, and
 * freeing them would block the editor for longer than parsing the text.
 */
class JsonTree {
  constructor(
    private readonly text: string,
    private readonly count: number,
    private readonly kinds: Uint8Array,
    private readonly columns: Int32Array,
    /** Number of levels below the root. */
    readonly depth: number,
  ) {}

  get root(): JsonNode | undefined {
    return this.count === 0 ? undefined : new JsonNode(this, 0);
  }

  get(index: number, column: number): number {
    return this.columns[index * COLUMNS + column] ?? NONE;
  }

  type(index: number): NodeType {
    return TYPES[(this.kinds[index] ?? KIND.null) % UNCLOSED] ?? 'null';
  }

  isUnclosed(index: number): boolean {
    return (this.kinds[index] ?? 0) >= UNCLOSED;
  }

  /** Returns true if a property has a value, which an incomplete one doesn't have. */
  hasValue(index: number): boolean {
    // The key is the first inner node of a property, and it has no inner nodes.
    return this.get(index, NEXT) > index + 2;
  }

  /** Returns true if a node is a string with a value. */
  isString(index: number, value: string): boolean {
    const kind = this.kinds[index];
    if (kind === ENCODED_STRING) return this.value(index) === value;
    const start = this.get(index, START);
    const length = this.get(index, END) - start - 2;
    return (
      kind === KIND.string && length === value.length && this.text.startsWith(value, start + 1)
    );
  }

  value(index: number): unknown {
    const [start, end] = [this.get(index, START), this.get(index, END)];
    switch (this.kinds[index]) {
      case KIND.string:
        return this.text.slice(start + 1, end - 1);
      case ENCODED_STRING: {
        const scanner = createScanner(this.text.slice(start, end), true);
        scanner.scan();
        return scanner.getTokenValue();
      }
      case KIND.number:
        return Number(this.text.slice(start, end));
      case KIND.boolean:
        return this.text.startsWith('t', start);
      case KIND.null:
        return null;
      default:
        return undefined;
    }
  }
}

/** Builds a tree. Errors in the text end the affected values, so that the others are found. */
class TreeBuilder {
  private kinds: Uint8Array;
  private columns: Int32Array;
  private count = 0;
  private depth = 0;
  private deepest = 0;
  /** The innermost object, list, or property that isn't complete. */
  private open = NONE;
  /** Number of objects and of lists that aren't complete, by kind. */
  private readonly openCounts: Record<number, number> = { [KIND.object]: 0, [KIND.array]: 0 };
  /** True after the colon of the open property. */
  private isAfterColon = false;

  constructor(private readonly text: string) {
    const capacity = Math.ceil(text.length / CHARACTERS_PER_NODE) + 1;
    this.kinds = new Uint8Array(capacity);
    this.columns = new Int32Array(capacity * COLUMNS);
  }

  *build(): Generator<undefined, JsonTree, void> {
    const scanner = createScanner(this.text, true);
    for (let tokens = 1; ; tokens += 1) {
      if (tokens % STEP_TOKENS === 0) yield;
      const token: number = scanner.scan();
      const start = scanner.getTokenOffset();
      const end = start + scanner.getTokenLength();
      if (token === TOKEN.end) {
        while (this.open !== NONE) this.closeIncomplete(start);
        return new JsonTree(this.text, this.count, this.kinds, this.columns, this.deepest);
      }
      // Text after the first value is ignored.
      if (this.open === NONE && this.count > 0) continue;
      const error: number = scanner.getTokenError();
      // A string without a closing quote is encoded, too: its end isn't the end of its value.
      const isEncoded =
        token === TOKEN.string && (scanner.getTokenValue().length !== end - start - 2 || error > 0);
      this.add(token, start, end, isEncoded);
    }
  }

  private add(token: number, start: number, end: number, isEncoded: boolean): void {
    switch (token) {
      case TOKEN.openBrace:
        this.addValue(KIND.object, start, end);
        break;
      case TOKEN.openBracket:
        this.addValue(KIND.array, start, end);
        break;
      case TOKEN.closeBrace:
        this.closeAll(KIND.object, start, end);
        break;
      case TOKEN.closeBracket:
        this.closeAll(KIND.array, start, end);
        break;
      case TOKEN.string:
        this.addString(isEncoded ? ENCODED_STRING : KIND.string, start, end);
        break;
      case TOKEN.number:
        this.addValue(KIND.number, start, end);
        break;
      case TOKEN.true:
      case TOKEN.false:
        this.addValue(KIND.boolean, start, end);
        break;
      case TOKEN.null:
        this.addValue(KIND.null, start, end);
        break;
      case TOKEN.colon:
        this.isAfterColon = true;
        break;
      case TOKEN.comma:
        if (this.kinds[this.open] === KIND.property) this.closeProperty();
        break;
      default:
        // An unknown word, or the start of one.
        break;
    }
  }

  private addString(kind: number, start: number, end: number): void {
    // Without a colon, the open property is incomplete, and the string is the next key.
    if (this.kinds[this.open] === KIND.property && !this.isAfterColon) this.closeProperty();
    if (this.open === NONE || this.kinds[this.open] !== KIND.object) {
      this.addValue(kind, start, end);
      return;
    }
    this.begin(KIND.property, start, end);
    this.isAfterColon = false;
    this.begin(kind, start, end);
    this.close(end);
  }

  private addValue(kind: number, start: number, end: number): void {
    if (this.open !== NONE && this.kinds[this.open] === KIND.object) {
      // A value without a key can only be kept if it has an end of its own.
      if (kind !== KIND.object && kind !== KIND.array) return;
      this.addString(ENCODED_STRING, start, start);
    }
    this.begin(kind, start, end);
    if (kind === KIND.object || kind === KIND.array) return;
    this.close(end);
    if (this.kinds[this.open] === KIND.property) this.close(end);
  }

  /** Ends the innermost object or list of a kind; ignores a bracket that nothing opened. */
  private closeAll(kind: number, start: number, end: number): void {
    // Counted rather than searched for, which would take quadratic time for text like [}[}[}.
    if (this.openCounts[kind] === 0) return;
    while (this.kinds[this.open] !== kind) this.closeIncomplete(start);
    this.close(end);
    if (this.kinds[this.open] === KIND.property) this.close(end);
  }

  /** Ends a value that isn't complete. */
  private closeIncomplete(end: number): void {
    const kind = this.kinds[this.open] ?? 0;
    if (kind === KIND.property) {
      this.closeProperty();
      return;
    }
    this.kinds[this.open] = kind + UNCLOSED;
    this.close(end);
  }

  /** Ends a property after its value, or after its key if it has no value. */
  private closeProperty(): void {
    const key = this.open + 1;
    const last = key + 1 < this.count ? key + 1 : key;
    this.close(this.columns[last * COLUMNS + END] ?? 0);
  }

  private begin(kind: number, start: number, end: number): void {
    const index = this.count;
    if (index === this.kinds.length) this.grow();
    this.kinds[index] = kind;
    this.countOpen(kind, 1);
    const at = index * COLUMNS;
    this.columns[at + START] = start;
    this.columns[at + END] = end;
    this.columns[at + PARENT] = this.open;
    this.columns[at + NEXT] = index + 1;
    this.count += 1;
    this.open = index;
    if (this.depth > this.deepest) this.deepest = this.depth;
    this.depth += 1;
  }

  private close(end: number): void {
    const at = this.open * COLUMNS;
    this.countOpen((this.kinds[this.open] ?? 0) % UNCLOSED, -1);
    this.open = this.parentOf(this.open);
    this.columns[at + END] = end;
    this.columns[at + NEXT] = this.count;
    this.depth -= 1;
  }

  private countOpen(kind: number, difference: number): void {
    const count = this.openCounts[kind];
    if (count !== undefined) this.openCounts[kind] = count + difference;
  }

  private parentOf(index: number): number {
    return this.columns[index * COLUMNS + PARENT] ?? NONE;
  }

  private grow(): void {
    const { kinds, columns } = this;
    this.kinds = new Uint8Array(kinds.length * 2);
    this.kinds.set(kinds);
    this.columns = new Int32Array(columns.length * 2);
    this.columns.set(columns);
  }
}
