import * as l10n from '@vscode/l10n';
import { closeOnEscape, element, focusWhenHere, toolButton } from '../elements';

/** A cell or row to show in full. */
export interface CellTarget {
  readonly rowIndex: number;
  /** The column's ID; absent if the target is the whole row. */
  readonly column?: string | undefined;
  /** The column's name. */
  readonly name?: string | undefined;
}

export interface CellViewerOptions {
  /** Prefix for the IDs of the viewer's elements. */
  readonly id: string;
  /** Text that is shown instead of an empty value. */
  readonly emptyContent: string;
  readonly read: (viewed: CellTarget) => Promise<{ text: string; characters: number }>;
  readonly copy: (viewed: CellTarget) => void;
  readonly closed: () => void;
  readonly failed: (error: unknown) => void;
  readonly numberText: (value: number) => string;
  /** An additional action for the shown cell or row. */
  readonly extraAction?: {
    readonly label: string;
    readonly onPress: (viewed: CellTarget) => void;
  };
}

/** A panel below the table that shows a cell or a whole row in full. */
export class CellViewer {
  readonly element = element('div', { class: 'cell-viewer' });
  private readonly title: HTMLElement;
  private readonly text = element('pre', { class: 'viewer-text', tabindex: '0', dir: 'auto' });
  private readonly notice = element('p', { class: 'faint' });
  private readonly wholeRow: HTMLElement;
  private viewed: CellTarget | undefined;
  /** The target whose text is being loaded and will be shown next. */
  private pending: CellTarget | undefined;

  constructor(private readonly options: CellViewerOptions) {
    const { id, copy, extraAction } = options;
    this.element.hidden = true;
    this.title = element('h2', { class: 'viewer-title', id: `${id}-title` });
    this.text.setAttribute('role', 'region');
    this.text.setAttribute('aria-labelledby', `${id}-title`);
    this.wholeRow = toolButton(l10n.t('Whole Row'), () => this.showRow(), {
      focusKey: 'viewer row',
    });
    const tool = (label: string, onPress: (viewed: CellTarget) => void, focusKey: string) =>
      toolButton(label, () => this.viewed && onPress(this.viewed), { focusKey });
    const tools = element(
      'div',
      { class: 'viewer-tools' },
      this.wholeRow,
      extraAction && tool(extraAction.label, extraAction.onPress, 'viewer further'),
      tool(l10n.t('Copy'), copy, 'viewer copy'),
      toolButton(l10n.t('Close'), () => this.close(), { focusKey: 'viewer close' }),
    );
    const head = element('div', { class: 'viewer-head' }, this.title, tools);
    this.element.append(head, this.text, this.notice);
    closeOnEscape(this.element, () => this.close());
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  async show(viewed: CellTarget): Promise<void> {
    const { options } = this;
    const { numberText } = options;
    this.pending = viewed;
    try {
      const { text, characters } = await options.read(viewed);
      if (this.pending !== viewed) return;
      this.viewed = viewed;
      const row = numberText(viewed.rowIndex + 1);
      this.title.textContent =
        viewed.name === undefined
          ? l10n.t('Row {0}', row)
          : l10n.t('{0} in row {1}', viewed.name, row);
      this.text.textContent = text === '' ? options.emptyContent : text;
      this.notice.textContent =
        text.length < characters
          ? l10n.t(
              'The first {0} of {1} characters. Copy includes all of them.',
              numberText(text.length),
              numberText(characters),
            )
          : '';
      this.wholeRow.hidden = viewed.column === undefined;
      this.element.hidden = false;
      this.text.scrollTop = 0;
      focusWhenHere(() => this.text.focus());
    } catch (error) {
      if (this.pending === viewed) options.failed(error);
    }
  }

  /** Hides the viewer because the rows changed, without calling `closed`. */
  hide(): void {
    this.viewed = undefined;
    this.pending = undefined;
    this.element.hidden = true;
  }

  private close(): void {
    this.hide();
    this.options.closed();
  }

  private showRow(): void {
    if (this.viewed) void this.show({ rowIndex: this.viewed.rowIndex });
  }
}
