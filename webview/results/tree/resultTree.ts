import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { RowCache } from '../../ui/table/rowCache';
import type { TableRow } from '../../ui/table/tableRow';
import type { AmountFormatter } from '../amountFormatter';
import type { Arrangement } from '../arrangement';
import type { ResultsContext } from '../resultsContext';
import { NodeTree } from './nodeTree';
import { drawTreeLine } from './treeLine';

export interface ResultTreeOptions {
  /** Prefix for the IDs of the tree's elements; unique on the page. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountFormatter;
  readonly fetchRows: (start: number, end: number) => Promise<readonly TableRow[]>;
  readonly columnCount: () => number;
  readonly getColumnName: (column: string) => string;
  /** Shows a row in full. */
  readonly view: (rowIndex: number) => void;
  readonly copy: (rowIndex: number) => void;
  readonly failed: (error: unknown) => void;
}

/** Number of children of a list or object to load per request. */
export const NODES_AT_ONCE = 200;
/** Maximum number of values in the summary on a row's line. */
const MAX_SUMMARY_VALUES = 8;

/** The rows of a result as a JSON tree. */
export class ResultTree {
  private readonly tree: NodeTree;
  private readonly cache: RowCache<TableRow>;

  constructor(private readonly options: ResultTreeOptions) {
    const { id, context, arrangement, fetchRows, failed, columnCount, view, copy } = options;
    const { host, strings } = context;
    this.cache = new RowCache({
      ...{ fetchRows, onFailure: failed, cellsPerRow: columnCount },
      onRows: () => this.tree.rows.refresh(),
    });
    this.tree = new NodeTree({
      ...{ id, label: strings.tree.label, keys: strings.tree.keys, view, copy, failed },
      count: () => arrangement.count,
      nodesAt: ({ start, ...at }, signal) => {
        const request = { ...arrangement.view, ...at, start, end: start + NODES_AT_ONCE };
        return host.request('resultNodes', request, signal);
      },
      drawLine: (line, number) =>
        drawTreeLine(line, number, {
          ...{ id, strings, amounts: options.amounts, roots: arrangement.count },
          rootAt: (rowIndex) => this.rootAt(rowIndex),
        }),
      prepare: (first, last) => this.cache.want(first, last + 1),
    });
    this.element.hidden = true;
  }

  get element(): HTMLElement {
    return this.tree.element;
  }

  /** Shows or hides the tree. A hidden tree loads nothing. */
  setShown(shown: boolean): void {
    this.element.hidden = !shown;
    this.grow();
  }

  /** Resets the tree because all rows changed. */
  rearranged(): void {
    this.tree.reset();
    this.cache.clear();
    this.grow();
  }

  /** Updates the tree when more rows have arrived. */
  grow(): void {
    if (this.element.hidden) return;
    this.cache.setEnd(this.options.arrangement.count);
    this.tree.grow();
  }

  retry(): void {
    this.cache.retry();
    this.tree.rows.refresh();
  }

  stop(): void {
    this.tree.stop();
  }

  focus(): void {
    this.tree.focus();
  }

  /** Expands a row and scrolls it into view. */
  reveal(rowIndex: number): Promise<void> {
    return this.tree.reveal(rowIndex);
  }

  private rootAt(rowIndex: number) {
    const { context, amounts, getColumnName: nameOf } = this.options;
    const { tree, table } = context.strings;
    const name = fillPlaceholders(tree.row, amounts.number(rowIndex + 1));
    const row = this.cache.at(rowIndex);
    if (!row) return { name, summary: table.loading };
    const shownValues = [...row].slice(0, MAX_SUMMARY_VALUES);
    const texts = shownValues.map(([column, { text }]) => `${nameOf(column)}: ${text}`);
    return { name, summary: texts.join(', ') + (row.size > shownValues.length ? ', …' : '') };
  }
}
