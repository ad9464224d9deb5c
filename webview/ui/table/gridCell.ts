import { element } from '../elements';
import type { PositionedColumn } from './gridColumns';
import type { TableCell } from './tableRow';

/** Style options for the cells in a table. */
export interface CellStyle {
  readonly loading: string;
  /** Formats a time; if absent, times are shown as received. */
  readonly timeText?: ((text: string) => string) | undefined;
  /** Returns the name of a kind of value, for users who can't recognize the kind by its style. */
  readonly kindName?: ((kind: string) => string | undefined) | undefined;
  /** Returns true if a cell has content that can be expanded below its row. */
  readonly canUnfold?: ((cell: TableCell) => boolean) | undefined;
}

/**
 * A cell in a drawn row. Its element is reused for other cells, and only differences are written to
 * the document.
 */
export class GridCell {
  readonly element = element('div', { role: 'gridcell', class: 'data-cell' });
  private readonly text = document.createTextNode('');
  private classes = 'data-cell';
  private kind: string | undefined;
  private kindName: string | undefined;
  private isHintText = false;
  private expanded: string | undefined;
  private shown = '';

  constructor() {
    this.element.append(this.text);
    this.element.addEventListener('pointerenter', () => {
      const { scrollWidth, clientWidth } = this.element;
      this.setHint(scrollWidth > clientWidth);
    });
  }

  /** @param number index of the column among the visible columns */
  setPosition({ left, width }: PositionedColumn, number: number): void {
    const { element: made } = this;
    made.style.left = `${left}px`;
    made.style.width = `${width}px`;
    made.dataset.column = String(number);
    made.setAttribute('aria-colindex', String(number + 1));
  }

  /** @param isUnfolded true if the cell's contents are expanded below its row */
  show(cell: TableCell | undefined, style: CellStyle, isUnfolded: boolean): void {
    const { kind, text = '' } = cell ?? {};
    if (kind !== this.kind) this.setKind(kind, style);
    this.setExpanded(cell && style.canUnfold?.(cell) ? String(isUnfolded) : undefined);
    this.setText(formatCellText(kind, text, style));
    const ofKind = kind === undefined ? '' : ` kind-${kind}`;
    this.setClasses(cell && text === '' ? `${ofKind} empty-text` : ofKind);
  }

  /** Shows a note that the row isn't loaded yet. */
  showUnread(note: string): void {
    if (this.kind !== undefined) this.setKind(undefined);
    this.setExpanded(undefined);
    this.setText(note);
    this.setClasses('');
  }

  private setKind(kind: string | undefined, style?: CellStyle): void {
    this.kindName = kind === undefined ? undefined : style?.kindName?.(kind);
    this.kind = kind;
    this.setHint(false);
  }

  /**
   * Sets the tooltip to the name of the kind, preceded by the cell's text if the text is truncated.
   */
  private setHint(isTextCut: boolean): void {
    this.isHintText = isTextCut;
    const lines = [isTextCut ? this.shown : '', this.kindName ?? ''].filter((line) => line !== '');
    if (lines.length === 0) this.element.removeAttribute('title');
    else this.element.title = lines.join('\n');
  }

  private setExpanded(expanded: string | undefined): void {
    if (expanded === this.expanded) return;
    this.expanded = expanded;
    if (expanded === undefined) this.element.removeAttribute('aria-expanded');
    else this.element.setAttribute('aria-expanded', expanded);
  }

  private setText(text: string): void {
    if (text === this.shown) return;
    this.text.data = text;
    this.shown = text;
    if (this.isHintText) this.setHint(false);
  }

  /**
   * Sets the CSS classes. This also removes the active cell's mark, which is restored after each
   * redraw.
   */
  private setClasses(ofKind: string): void {
    const classes = `data-cell${ofKind}`;
    if (classes === this.classes) return;
    this.element.className = classes;
    this.classes = classes;
  }
}

function formatCellText(kind: string | undefined, text: string, { timeText }: CellStyle): string {
  if (kind === 'time' && timeText) return timeText(text);
  return kind === 'text' && text === '' ? '""' : text;
}
