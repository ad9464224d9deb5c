import type { ResultNode } from '../../../src/shared/query/results';
import type { RowMove } from '../../ui/rowGeometry';

/** A value within a row. */
export interface TreeNode extends ResultNode {
  /** Index of the row. */
  readonly rowIndex: number;
  readonly path: readonly string[];
  /** Zero-based index among its siblings. */
  readonly index: number;
  /** Number of its siblings, including itself. */
  readonly siblings: number;
}

/** Contents of one line: a row, a value within a row, or a link that loads more of a long list. */
export type TreeLine =
  | { readonly type: 'row'; readonly rowIndex: number; readonly isOpen: boolean }
  | { readonly type: 'node'; readonly node: TreeNode; readonly isOpen: boolean }
  | {
      readonly type: 'more';
      readonly rowIndex: number;
      readonly path: readonly string[];
      readonly known: number;
      readonly size: number;
    };

/** The known children of a row or value. */
interface Branch {
  nodes: TreeNode[];
  size: number;
}

/**
 * The lines in a tree whose roots are the rows in a result. Only expanded rows use memory. The rows
 * between them are counted rather than stored.
 */
export class TreeModel {
  private count = 0;
  /** The expanded branches, by row and then by path. */
  private readonly open = new Map<number, Map<string, Branch>>();
  /** The lines below expanded rows, in row order. */
  private lines: readonly { readonly rowIndex: number; readonly below: readonly TreeLine[] }[] = [];

  /** Number of lines. */
  get total(): number {
    return this.lines.reduce((sum, { below }) => sum + below.length, this.count);
  }

  /** Sets the number of rows. */
  setCount(count: number): void {
    this.count = count;
  }

  /** Removes all branches because the rows changed. */
  clear(): void {
    this.count = 0;
    this.open.clear();
    this.lines = [];
  }

  isOpen(rowIndex: number, path: readonly string[]): boolean {
    return this.open.get(rowIndex)?.has(toPathKey(path)) ?? false;
  }

  /** Returns the number of known children of a row or a value within it. */
  known(rowIndex: number, path: readonly string[]): number {
    return this.open.get(rowIndex)?.get(toPathKey(path))?.nodes.length ?? 0;
  }

  /**
   * Adds children of a row or value after the known children.
   * @returns the move of the lines below the added lines
   */
  add(
    rowIndex: number,
    path: readonly string[],
    { nodes, size }: { readonly nodes: readonly ResultNode[]; readonly size: number },
  ): RowMove {
    const before = this.total;
    const ofRow = this.open.get(rowIndex) ?? new Map<string, Branch>();
    const branch = ofRow.get(toPathKey(path)) ?? { nodes: [], size };
    const from = branch.nodes.length;
    for (const [index, node] of nodes.entries()) {
      const own = {
        rowIndex,
        path: [...path, node.key],
        index: from + index,
        siblings: size,
      };
      branch.nodes.push({ ...node, ...own });
    }
    ofRow.set(toPathKey(path), branch);
    this.open.set(rowIndex, ofRow);
    this.arrange();
    const added = this.getLineIndex(rowIndex, [...path, nodes[0]?.key ?? '']);
    // The first added line replaces the link that loads more.
    return { at: from > 0 ? added + 1 : added, by: this.total - before };
  }

  /** Removes the children of a row or value and everything expanded below it. */
  close(rowIndex: number, path: readonly string[]): void {
    const ofRow = this.open.get(rowIndex);
    const key = toPathKey(path);
    for (const other of ofRow?.keys() ?? []) if (other.startsWith(key)) ofRow?.delete(other);
    if (ofRow?.size === 0) this.open.delete(rowIndex);
    this.arrange();
  }

  /** Returns the contents of a line. */
  at(line: number): TreeLine | undefined {
    let passed = 0;
    for (const { rowIndex: expandedRow, below } of this.lines) {
      const own = expandedRow + passed;
      if (line <= own) break;
      if (line <= own + below.length) return below[line - own - 1];
      passed += below.length;
    }
    const rowIndex = line - passed;
    if (rowIndex < 0 || rowIndex >= this.count) return undefined;
    return { type: 'row', rowIndex, isOpen: this.isOpen(rowIndex, []) };
  }

  /** Returns the line index of a row or displayed value. */
  getLineIndex(rowIndex: number, path: readonly string[] = []): number {
    const before = this.lines.filter((one) => one.rowIndex < rowIndex);
    const own = before.reduce((sum, { below }) => sum + below.length, rowIndex);
    if (path.length === 0) return own;
    const key = toPathKey(path);
    const below = this.lines.find((one) => one.rowIndex === rowIndex)?.below ?? [];
    const index = below.findIndex((one) => one.type === 'node' && toPathKey(one.node.path) === key);
    return own + 1 + Math.max(0, index);
  }

  private arrange(): void {
    this.lines = [...this.open.keys()]
      .sort((a, b) => a - b)
      .map((rowIndex) => ({ rowIndex, below: this.below(rowIndex, []) }));
  }

  private below(rowIndex: number, path: readonly string[]): TreeLine[] {
    const branch = this.open.get(rowIndex)?.get(toPathKey(path));
    if (!branch) return [];
    const { nodes, size } = branch;
    const lines = nodes.flatMap((node): TreeLine[] => {
      const isOpen = this.isOpen(rowIndex, node.path);
      const own: TreeLine = { type: 'node', node, isOpen };
      return isOpen ? [own, ...this.below(rowIndex, node.path)] : [own];
    });
    if (nodes.length < size) {
      lines.push({ type: 'more', rowIndex, path, known: nodes.length, size });
    }
    return lines;
  }
}

/** Returns a key for a path. Only the keys of the path's ancestors are prefixes of this key. */
function toPathKey(path: readonly string[]): string {
  return path.map((key) => `${JSON.stringify(key)},`).join('');
}
