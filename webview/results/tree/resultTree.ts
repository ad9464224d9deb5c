import * as l10n from '@vscode/l10n';
import { getKindNames, type AmountFormatter } from '../resultFormat';
import { RowCache } from '../../ui/table/rowCache';
import type { TableRow } from '../../ui/table/tableRow';
import type { Arrangement } from '../arrangement';
import type { ResultsContext } from '../resultsContext';
import { NodeTree } from './nodeTree';
import { element } from '../../ui/elements';
import type { TreeLine } from './treeModel';

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

/** Number of children to load per request for a list or object. */
export const NODES_AT_ONCE = 200;
/** Maximum number of values in the summary on a row's line. */
const MAX_SUMMARY_VALUES = 8;

/** The rows in a result as a JSON tree. */
export class ResultTree {
  private readonly tree: NodeTree;
  private readonly cache: RowCache<TableRow>;

  constructor(private readonly options: ResultTreeOptions) {
    const { id, context, arrangement, fetchRows, failed, columnCount, view, copy } = options;
    const { host } = context;
    this.cache = new RowCache({
      fetchRows,
      onFailure: failed,
      cellsPerRow: columnCount,
      onRows: () => this.tree.rows.refresh(),
    });
    this.tree = new NodeTree({
      id,
      label: l10n.t('Rows of the result as JSON'),
      keys: l10n.t(
        'Up and Down move, Right expands and Left collapses, Enter shows the whole row, and Ctrl+C copies it.',
      ),
      view,
      copy,
      failed,
      count: () => arrangement.count,
      nodesAt: ({ start, ...at }, signal) => {
        const request = { ...arrangement.view, ...at, start, end: start + NODES_AT_ONCE };
        return host.request('resultNodes', request, signal);
      },
      drawLine: (line, number) =>
        drawTreeLine(line, number, {
          id,
          amounts: options.amounts,
          roots: arrangement.count,
          rootAt: (rowIndex) => this.rootAt(rowIndex),
        }),
      prepare: (first, last) => this.cache.request(first, last + 1),
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
    const { amounts, getColumnName } = this.options;
    const name = l10n.t('Row {0}', amounts.number(rowIndex + 1));
    const row = this.cache.at(rowIndex);
    if (!row) return { name, summary: l10n.t('Loading…') };
    const shownValues = [...row].slice(0, MAX_SUMMARY_VALUES);
    const texts = shownValues.map(([column, { text }]) => `${getColumnName(column)}: ${text}`);
    return { name, summary: texts.join(', ') + (row.size > shownValues.length ? ', …' : '') };
  }
}

export interface TreeLineOptions {
  readonly id: string;
  readonly amounts: AmountFormatter;
  /** Returns the name of the root at an index and a summary of its contents. */
  readonly rootAt: (rowIndex: number) => { readonly name: string; readonly summary: string };
  /** Number of roots. */
  readonly roots: number;
}

const PIXELS_PER_LEVEL = 16;

/** Draws a line in the JSON tree. */
export function drawTreeLine(
  line: TreeLine,
  number: number,
  options: TreeLineOptions,
): HTMLElement {
  const { level, index, siblings, isOpen } = getTreePosition(line, options);
  const made = element('div', {
    role: 'treeitem',
    class: 'tree-line',
    id: `${options.id}-${number}`,
    'aria-level': String(level),
    'aria-posinset': String(index + 1),
    'aria-setsize': String(siblings),
    'data-line': String(number),
    'aria-expanded': isOpen === undefined ? undefined : String(isOpen),
  });
  made.style.paddingInlineStart = `${level * PIXELS_PER_LEVEL}px`;
  const twisty = isOpen === undefined ? '' : isOpen ? '▾' : '▸';
  made.append(element('span', { class: 'tree-twisty', 'aria-hidden': 'true' }, twisty));
  made.append(...renderContent(line, options));
  return made;
}

function getTreePosition(line: TreeLine, { roots }: TreeLineOptions) {
  switch (line.type) {
    case 'row':
      return { level: 1, index: line.rowIndex, siblings: roots, isOpen: line.isOpen };
    case 'node': {
      const { path, index, siblings, kind, size = 0 } = line.node;
      const isBranch = (kind === 'list' || kind === 'object') && size > 0;
      const isOpen = isBranch ? line.isOpen : undefined;
      return { level: path.length + 1, index, siblings, isOpen };
    }
    case 'more': {
      const { path, known, size } = line;
      return { level: path.length + 2, index: known, siblings: size, isOpen: undefined };
    }
  }
}

function renderContent(line: TreeLine, options: TreeLineOptions): readonly HTMLElement[] {
  const { amounts } = options;
  switch (line.type) {
    case 'row': {
      const { name, summary } = options.rootAt(line.rowIndex);
      return [
        element('span', { class: 'tree-row', dir: 'auto' }, name),
        element('span', { class: 'tree-summary', dir: 'auto' }, summary),
      ];
    }
    case 'more': {
      const text = l10n.t(
        'Show more ({0} of {1} shown)',
        amounts.number(line.known),
        amounts.number(line.size),
      );
      return [element('span', { class: 'tree-more' }, text)];
    }
    case 'node':
      return nodeContent(line.node, options);
  }
}

function nodeContent(
  { key, kind, text, size = 0 }: Extract<TreeLine, { type: 'node' }>['node'],
  { amounts }: TreeLineOptions,
): readonly HTMLElement[] {
  const name = element('span', { class: 'tree-key', dir: 'auto' }, `${key}:`);
  const title = getKindNames()[kind];
  const value = (shown: string): HTMLElement =>
    element('span', { class: `tree-value kind-${kind}`, dir: 'auto', title }, shown);
  if (kind === 'list') {
    const items = size === 1 ? l10n.t('1 item') : l10n.t('{0} items', amounts.number(size));
    return [name, value(`[${items}]`)];
  }
  if (kind === 'object') {
    const fields = size === 1 ? l10n.t('1 field') : l10n.t('{0} fields', amounts.number(size));
    return [name, value(`{${fields}}`)];
  }
  return [name, value(kind === 'text' ? `"${text}"` : text)];
}
