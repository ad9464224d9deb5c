import * as l10n from '@vscode/l10n';
import { element, focusWhenHere } from '../ui/elements';
import type { DataGrid } from '../ui/table/dataGrid';
import type { TableCell, TableColumn } from '../ui/table/tableRow';
import type { AmountFormatter } from './resultFormat';
import type { Arrangement } from './arrangement';
import type { ResultsContext } from './resultsContext';
import { NodeTree } from './tree/nodeTree';
import { drawTreeLine, NODES_AT_ONCE } from './tree/resultTree';

export interface UnfoldedCellsOptions {
  /** Prefix for the IDs of the expanded cells' elements; unique on the page. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountFormatter;
  readonly grid: Pick<DataGrid, 'details' | 'focus'>;
  readonly view: (rowIndex: number, column: TableColumn) => void;
  readonly copy: (rowIndex: number, column: TableColumn) => void;
  readonly failed: (error: unknown) => void;
}

/** Maximum height of an expanded cell in lines; longer content scrolls. */
const MAX_LINES = 10;
const LINE_PIXELS = 22;
const AROUND_PIXELS = 9;

/** Returns true if a cell has nested values that can be expanded. */
export function canUnfold({ kind, text }: TableCell): boolean {
  return kind === 'json' && text !== '[]' && text !== '{}';
}

/** Cells with lists and objects that are expanded below their rows, at most one per row. */
export class UnfoldedCells {
  private readonly trees = new Map<number, NodeTree>();

  constructor(private readonly options: UnfoldedCellsOptions) {}

  /** Collapses all cells because the rows changed. The keyboard focus stays in the table. */
  clear(): void {
    const trees = [...this.trees.values()];
    const { activeElement } = document;
    const hadKeyboard = trees.some(({ element: unfolded }) => unfolded.contains(activeElement));
    for (const tree of trees) tree.stop();
    this.trees.clear();
    if (hadKeyboard) this.options.grid.focus();
  }

  /** Expands a cell and moves the keyboard focus there, or collapses it. */
  toggle(rowIndex: number, column: TableColumn): void {
    const { details } = this.options.grid;
    const before = details.detailAt(rowIndex);
    if (before) this.fold(rowIndex);
    const cell = details.rowAt(rowIndex)?.get(column.id);
    if (before?.column === column.id || !cell || !canUnfold(cell)) return;
    const tree = this.createTree(rowIndex, column);
    this.trees.set(rowIndex, tree);
    tree.grow();
    void tree.open(0, []).then(() => {
      if (this.trees.get(rowIndex) === tree) focusWhenHere(() => tree.focus());
    });
  }

  private fold(rowIndex: number): void {
    this.trees.get(rowIndex)?.stop();
    this.trees.delete(rowIndex);
    this.options.grid.details.setDetail(rowIndex, undefined);
  }

  private createTree(rowIndex: number, column: TableColumn): NodeTree {
    const { context, arrangement, amounts, grid, view, copy, failed } = this.options;
    const { host } = context;
    const id = `${this.options.id}-${rowIndex}`;
    const label = l10n.t('{0} in row {1}, expanded', column.name, amounts.number(rowIndex + 1));
    const holder = element('div', { class: 'unfolded-cell' });
    const tree: NodeTree = new NodeTree({
      id,
      label,
      keys: l10n.t(
        'Up and Down move, Right expands and Left collapses, Enter shows the whole cell, and Escape returns to the table.',
      ),
      failed,
      count: () => 1,
      nodesAt: ({ path, start }, signal) => {
        const cell = { ...arrangement.view, rowIndex, column: column.id };
        const request = { ...cell, path, start, end: start + NODES_AT_ONCE };
        return host.request('resultNodes', request, signal);
      },
      drawLine: (line, number) =>
        drawTreeLine(line, number, {
          id,
          amounts,
          roots: 1,
          rootAt: () => ({ name: column.name, summary: '' }),
        }),
      onLines: (lines) => {
        const pixels = Math.min(lines, MAX_LINES) * LINE_PIXELS + AROUND_PIXELS;
        grid.details.setDetail(rowIndex, { column: column.id, element: holder, pixels });
      },
      view: () => view(rowIndex, column),
      copy: () => copy(rowIndex, column),
      escape: () => {
        this.fold(rowIndex);
        grid.focus();
        return true;
      },
    });
    holder.append(tree.element);
    return tree;
  }
}
