import type { ResultStrings } from '../../../src/shared/query/resultStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import type { AmountFormatter } from '../amountFormatter';
import type { TreeLine } from './treeModel';

export interface TreeLineOptions {
  readonly id: string;
  readonly strings: ResultStrings;
  readonly amounts: AmountFormatter;
  /** Returns the name of the root at an index and a summary of its contents. */
  readonly rootAt: (rowIndex: number) => { readonly name: string; readonly summary: string };
  /** Number of roots. */
  readonly roots: number;
}

const PIXELS_PER_LEVEL = 16;

/** Draws a line of the JSON tree. */
export function drawTreeLine(
  line: TreeLine,
  number: number,
  options: TreeLineOptions,
): HTMLElement {
  const { level, index, siblings, isOpen } = getTreePosition(line, options);
  const made = element('div', {
    ...{ role: 'treeitem', class: 'tree-line', id: `${options.id}-${number}` },
    ...{ 'aria-level': String(level), 'aria-posinset': String(index + 1) },
    ...{ 'aria-setsize': String(siblings), 'data-line': String(number) },
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
  const { strings, amounts } = options;
  switch (line.type) {
    case 'row': {
      const { name, summary } = options.rootAt(line.rowIndex);
      return [
        element('span', { class: 'tree-row', dir: 'auto' }, name),
        element('span', { class: 'tree-summary', dir: 'auto' }, summary),
      ];
    }
    case 'more': {
      const { more } = strings.tree;
      const text = fillPlaceholders(more, amounts.number(line.known), amounts.number(line.size));
      return [element('span', { class: 'tree-more' }, text)];
    }
    case 'node':
      return nodeContent(line.node, options);
  }
}

function nodeContent(
  { key, kind, text, size = 0 }: Extract<TreeLine, { type: 'node' }>['node'],
  { strings, amounts }: TreeLineOptions,
): readonly HTMLElement[] {
  const { items, oneItem, fields, oneField } = strings.tree;
  const count = (one: string, many: string): string =>
    size === 1 ? one : fillPlaceholders(many, amounts.number(size));
  const name = element('span', { class: 'tree-key', dir: 'auto' }, `${key}:`);
  const title = strings.kinds[kind];
  const value = (shown: string): HTMLElement =>
    element('span', { class: `tree-value kind-${kind}`, dir: 'auto', title }, shown);
  if (kind === 'list') return [name, value(`[${count(oneItem, items)}]`)];
  if (kind === 'object') return [name, value(`{${count(oneField, fields)}}`)];
  return [name, value(kind === 'text' ? `"${text}"` : text)];
}
