import { element } from '../ui/elements';

/** A table cell: plain text, or text with a CSS class. */
export type TableCell = string | { readonly text: string; readonly class: string };

interface DataTable {
  readonly caption: string;
  readonly class?: string;
  readonly head: readonly string[];
  /** Table rows; the first cell of each row is its heading. */
  readonly rows: readonly (readonly TableCell[])[];
}

/**
 * Creates a table with sticky headings that users can scroll in both directions, including by
 * keyboard.
 */
export function dataTable({ caption, head, rows, class: name = '' }: DataTable): HTMLElement {
  const body = rows.map(([first = '', ...others]) =>
    element('tr', {}, heading('row', getCellText(first)), ...others.map(toCell)),
  );
  return element(
    'div',
    { class: 'table-part' },
    element('p', { class: 'faint caption', 'aria-hidden': 'true' }, caption),
    element(
      'div',
      { class: 'table-scroller', tabindex: '0', role: 'group', 'aria-label': caption },
      element(
        'table',
        { class: `data-table ${name}`.trim(), 'aria-label': caption },
        element('thead', {}, element('tr', {}, ...head.map((text) => heading('col', text)))),
        element('tbody', {}, ...body),
      ),
    ),
  );
}

function heading(scope: 'row' | 'col', text: string): HTMLElement {
  // A long name is truncated after a few lines; the tooltip shows the full name.
  return element(
    'th',
    { scope },
    element('span', { class: 'cell-name', dir: 'auto', title: text }, text),
  );
}

function toCell(cell: TableCell): HTMLElement {
  const name =
    typeof cell === 'string' ? 'number' : cell.class === 'text' ? 'text' : `number ${cell.class}`;
  return element('td', { class: name }, element('span', { dir: 'auto' }, getCellText(cell)));
}

function getCellText(cell: TableCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
