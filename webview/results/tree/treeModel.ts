import type { ResultNode } from '../../../src/shared/query/results';
import type { RowMove } from '../../ui/rowGeometry';

/** A value within a row. */
export interface TreeNode extends ResultNode {
  /** The row's place. */
  readonly place: number;
  readonly path: readonly string[];
  /** Among the values beside it, from 0. */
  readonly index: number;
  /** How many there are beside it, with itself. */
  readonly siblings: number;
}

/** What stands on one line: a row, a value within one, or an offer to show more of a long list. */
export type TreeLine =
  | { readonly type: 'row'; readonly place: number; readonly isOpen: boolean }
  | { readonly type: 'node'; readonly node: TreeNode; readonly isOpen: boolean }
  | {
      readonly type: 'more';
      readonly place: number;
      readonly path: readonly string[];
      readonly known: number;
      readonly size: number;
    };

/** What is known of what is within a row or a value. */
interface Branch {
  nodes: TreeNode[];
  size: number;
}

/**
 * The lines of a tree whose roots are the rows of a result. Only what is open costs anything: the rows
 * between are counted, not kept.
 */
export class TreeModel {
  private count = 0;
  /** What is open, by place and then by path. */
  private readonly open = new Map<number, Map<string, Branch>>();
  /** The lines of open rows below the rows themselves, in the order of their places. */
  private lines: readonly { readonly place: number; readonly below: readonly TreeLine[] }[] = [];

  /** How many lines there are. */
  get total(): number {
    return this.lines.reduce((sum, { below }) => sum + below.length, this.count);
  }

  /** There are so many rows. */
  setCount(count: number): void {
    this.count = count;
  }

  /** Other rows are at all places. */
  clear(): void {
    this.count = 0;
    this.open.clear();
    this.lines = [];
  }

  isOpen(place: number, path: readonly string[]): boolean {
    return this.open.get(place)?.has(keyOf(path)) ?? false;
  }

  /** How much is known of what is within a row or value. */
  known(place: number, path: readonly string[]): number {
    return this.open.get(place)?.get(keyOf(path))?.nodes.length ?? 0;
  }

  /** Adds what is within a row or value, after what is known of it. @returns how the lines below it move */
  add(
    place: number,
    path: readonly string[],
    { nodes, size }: { readonly nodes: readonly ResultNode[]; readonly size: number },
  ): RowMove {
    const before = this.total;
    const ofRow = this.open.get(place) ?? new Map<string, Branch>();
    const branch = ofRow.get(keyOf(path)) ?? { nodes: [], size };
    const from = branch.nodes.length;
    for (const [index, node] of nodes.entries()) {
      const own = { place, path: [...path, node.key], index: from + index, siblings: size };
      branch.nodes.push({ ...node, ...own });
    }
    ofRow.set(keyOf(path), branch);
    this.open.set(place, ofRow);
    this.arrange();
    const added = this.lineOf(place, [...path, nodes[0]?.key ?? '']);
    // The first line of what is added replaces the offer to show more.
    return { at: from > 0 ? added + 1 : added, by: this.total - before };
  }

  /** Forgets what is within a row or value, and what is open in there. */
  close(place: number, path: readonly string[]): void {
    const ofRow = this.open.get(place);
    const key = keyOf(path);
    for (const other of ofRow?.keys() ?? []) if (other.startsWith(key)) ofRow?.delete(other);
    if (ofRow?.size === 0) this.open.delete(place);
    this.arrange();
  }

  /** What stands on a line. */
  at(line: number): TreeLine | undefined {
    let passed = 0;
    for (const { place, below } of this.lines) {
      const own = place + passed;
      if (line <= own) break;
      if (line <= own + below.length) return below[line - own - 1];
      passed += below.length;
    }
    const place = line - passed;
    if (place < 0 || place >= this.count) return undefined;
    return { type: 'row', place, isOpen: this.isOpen(place, []) };
  }

  /** The line of a row, or of a value that is shown. */
  lineOf(place: number, path: readonly string[] = []): number {
    const before = this.lines.filter((one) => one.place < place);
    const own = before.reduce((sum, { below }) => sum + below.length, place);
    if (path.length === 0) return own;
    const key = keyOf(path);
    const below = this.lines.find((one) => one.place === place)?.below ?? [];
    const index = below.findIndex((one) => one.type === 'node' && keyOf(one.node.path) === key);
    return own + 1 + Math.max(0, index);
  }

  private arrange(): void {
    this.lines = [...this.open.keys()]
      .sort((a, b) => a - b)
      .map((place) => ({ place, below: this.below(place, []) }));
  }

  private below(place: number, path: readonly string[]): TreeLine[] {
    const branch = this.open.get(place)?.get(keyOf(path));
    if (!branch) return [];
    const { nodes, size } = branch;
    const lines = nodes.flatMap((node): TreeLine[] => {
      const isOpen = this.isOpen(place, node.path);
      const own: TreeLine = { type: 'node', node, isOpen };
      return isOpen ? [own, ...this.below(place, node.path)] : [own];
    });
    if (nodes.length < size) {
      lines.push({ type: 'more', place, path, known: nodes.length, size });
    }
    return lines;
  }
}

/** Begins with that of what it is in, and with that of nothing else. */
function keyOf(path: readonly string[]): string {
  return path.map((key) => `${JSON.stringify(key)},`).join('');
}
