import * as l10n from '@vscode/l10n';
import { closeOnEscape, element, toolButton } from '../elements';
import type { TableColumn } from './tableRow';

/** Maximum number of listed columns; users find other columns by searching. */
const MAX_LISTED_COLUMNS = 200;

export interface ChooserOptions {
  readonly label: string;
  readonly isChosen: (column: TableColumn) => boolean;
  readonly choose: (columns: readonly TableColumn[], chosen: boolean) => void;
  readonly closed: () => void;
  /** True to show buttons that show or hide all matching columns in one step. */
  readonly offersAll: boolean;
}

/** A searchable list of columns with checkboxes. */
export class ColumnChooser {
  readonly element: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly list = element('ul', { class: 'chooser-list' });
  private readonly notice = element('p', { class: 'faint', role: 'status' });
  private columns: readonly TableColumn[] = [];

  constructor(private readonly options: ChooserOptions) {
    const { label } = options;
    this.search = element('input', {
      type: 'search',
      placeholder: l10n.t('Find columns'),
      'aria-label': l10n.t('Find columns'),
      class: 'chooser-search',
    });
    this.search.addEventListener('input', () => this.draw());
    const all = (chosen: boolean): void => {
      options.choose(this.matching(), chosen);
      this.draw();
    };
    const tools = element('div', { class: 'viewer-tools' });
    if (options.offersAll) {
      tools.append(
        toolButton(l10n.t('Show All'), () => all(true), { focusKey: 'columns all' }),
        toolButton(l10n.t('Hide All'), () => all(false), { focusKey: 'columns none' }),
      );
    }
    tools.append(toolButton(l10n.t('Close'), () => this.close(), { focusKey: 'columns close' }));
    this.element = element(
      'section',
      { class: 'column-chooser', 'aria-label': label },
      element('div', { class: 'viewer-head' }, this.search, tools),
      this.list,
      this.notice,
    );
    this.element.hidden = true;
    closeOnEscape(this.element, () => this.close());
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(columns: readonly TableColumn[]): void {
    this.columns = columns;
    this.element.hidden = false;
    this.draw();
    this.search.focus();
  }

  hide(): void {
    this.element.hidden = true;
  }

  private close(): void {
    this.hide();
    this.options.closed();
  }

  private matching(): readonly TableColumn[] {
    const terms = this.search.value.toLowerCase().split(/\s+/);
    return this.columns.filter(({ name }) => {
      const text = name.toLowerCase();
      return terms.every((word) => text.includes(word));
    });
  }

  private draw(): void {
    const matching = this.matching();
    const items = matching.slice(0, MAX_LISTED_COLUMNS).map((column) => this.item(column));
    this.list.replaceChildren(...items);
    const unlistedCount = matching.length - items.length;
    this.notice.textContent =
      matching.length === 0
        ? l10n.t('No column name contains this text.')
        : unlistedCount > 0
          ? l10n.t('{0} more match. Type more of the name to see them.', String(unlistedCount))
          : '';
  }

  private item(column: TableColumn): HTMLElement {
    const { isChosen, choose } = this.options;
    const box = element('input', { type: 'checkbox', 'data-focus': `column ${column.id}` });
    box.checked = isChosen(column);
    box.addEventListener('change', () => choose([column], box.checked));
    const name = element('span', { class: 'chooser-name', dir: 'auto' }, column.name);
    return element('li', {}, element('label', { title: column.name }, box, name));
  }
}
