import type { ReadingStrings } from '../../../src/shared/data/readingStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { toolButton } from '../../ui/toolButton';

/** What is shown as a whole. */
export interface ViewedText {
  readonly place: number;
  /** The column's id; absent: the whole row. */
  readonly column?: string | undefined;
  /** The column's name. */
  readonly name?: string | undefined;
}

export interface CellViewerActions {
  readonly read: (viewed: ViewedText) => Promise<{ text: string; characters: number }>;
  readonly copy: (viewed: ViewedText) => void;
  readonly closed: () => void;
  readonly failed: (error: unknown) => void;
  readonly numberText: (value: number) => string;
}

/** A cell or a whole row below the table, with all of its text. */
export class CellViewer {
  readonly element = element('div', { class: 'cell-viewer' });
  private readonly title = element('h2', { class: 'viewer-title', id: 'viewer-title' });
  private readonly text = element('pre', { class: 'viewer-text', tabindex: '0', dir: 'auto' });
  private readonly notice = element('p', { class: 'faint' });
  private readonly wholeRow: HTMLElement;
  private viewed: ViewedText | undefined;

  constructor(
    private readonly strings: ReadingStrings['viewer'],
    private readonly actions: CellViewerActions,
  ) {
    this.element.hidden = true;
    this.text.setAttribute('role', 'region');
    this.text.setAttribute('aria-labelledby', 'viewer-title');
    this.wholeRow = toolButton(strings.showRow, () => this.showRow(), { focusKey: 'viewer row' });
    const copy = toolButton(strings.copy, () => this.viewed && actions.copy(this.viewed), {
      focusKey: 'viewer copy',
    });
    const close = toolButton(strings.close, () => this.close(), { focusKey: 'viewer close' });
    const tools = element('div', { class: 'viewer-tools' }, this.wholeRow, copy, close);
    const head = element('div', { class: 'viewer-head' }, this.title, tools);
    this.element.append(head, this.text, this.notice);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  async show(viewed: ViewedText): Promise<void> {
    const { strings, actions } = this;
    this.viewed = viewed;
    const row = actions.numberText(viewed.place + 1);
    this.title.textContent =
      viewed.name === undefined
        ? fillPlaceholders(strings.row, row)
        : fillPlaceholders(strings.cell, viewed.name, row);
    try {
      const { text, characters } = await actions.read(viewed);
      if (this.viewed !== viewed) return;
      this.text.textContent = text === '' ? strings.nothing : text;
      this.notice.textContent =
        text.length < characters
          ? fillPlaceholders(
              strings.shortened,
              actions.numberText(text.length),
              actions.numberText(characters),
            )
          : '';
      this.wholeRow.hidden = viewed.column === undefined;
      this.element.hidden = false;
      this.text.scrollTop = 0;
      this.text.focus();
    } catch (error) {
      actions.failed(error);
    }
  }

  /** Goes away without saying so: other rows are there. */
  hide(): void {
    this.viewed = undefined;
    this.element.hidden = true;
  }

  private close(): void {
    this.hide();
    this.actions.closed();
  }

  private showRow(): void {
    if (this.viewed) void this.show({ place: this.viewed.place });
  }
}
