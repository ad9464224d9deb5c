import { element } from '../ui/elements';

/** A cell of a table: text, or text that looks different. */
export type TableCell = string | { readonly text: string; readonly class: string };

interface DataTable {
  readonly caption: string;
  readonly class?: string;
  readonly head: readonly string[];
  /** The first cell of a row is its heading. */
  readonly rows: readonly (readonly TableCell[])[];
}

/** A table that scrolls in both directions, also by keyboard, under sticky headings. */
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
  // A long name is cut off after a few lines; the tooltip shows all of it.
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
