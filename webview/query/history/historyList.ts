import * as l10n from '@vscode/l10n';
import type { HistoryEntry } from '../../../src/shared/query/queryPanel';
import { element } from '../../ui/elements';
import { LANGUAGE_NAMES } from '../queryContext';
import { localeTag } from '../../ui/format';

/**
 * Distance from the end of the list, in pixels below the viewport, at which more entries are
 * loaded.
 */
const AHEAD = 400;

interface ListActions {
  readonly label: string;
  readonly describedBy: string;
  readonly chosen: (entry: HistoryEntry | undefined) => void;
  readonly use: (entry: HistoryEntry) => void;
  readonly runAgain: (entry: HistoryEntry) => void;
  readonly remove: (entry: HistoryEntry) => void;
  /** Called when the end of the list is about to become visible. */
  readonly more: () => void;
}

/**
 * Earlier queries as a list box. Arrow keys move the selection, and the selected query is shown in
 * full next to the list.
 */
export class HistoryList {
  readonly element: HTMLElement;
  private entries: readonly HistoryEntry[] = [];
  private at = -1;

  constructor(
    private readonly texts: HistoryTexts,
    private readonly actions: ListActions,
  ) {
    this.element = element('ul', {
      role: 'listbox',
      tabindex: '0',
      class: 'history-list',
      'aria-label': actions.label,
      'aria-describedby': actions.describedBy,
      'data-focus': 'history list',
    });
    this.element.addEventListener('keydown', (event) => this.pressed(event));
    this.element.addEventListener('scroll', () => this.scrolled(), { passive: true });
  }

  get chosen(): HistoryEntry | undefined {
    return this.entries[this.at];
  }

  /**
   * Replaces the entries. The selected entry remains selected or, if it no longer exists, the entry
   * at the same index is selected.
   */
  show(entries: readonly HistoryEntry[]): void {
    const chosen = this.chosen?.id;
    const same = entries.findIndex(({ id }) => id === chosen);
    this.entries = entries;
    this.element.replaceChildren(...entries.map((entry, index) => this.option(entry, index)));
    this.choose(same >= 0 ? same : Math.min(Math.max(this.at, 0), entries.length - 1));
  }

  /**
   * Refreshes the entries. The visible entries don't move unless the list is scrolled to the top.
   */
  renew(entries: readonly HistoryEntry[]): void {
    const { scrollTop } = this.element;
    const before = this.chosenTop;
    this.show(entries);
    this.element.scrollTop = scrollTop > 0 ? scrollTop + this.chosenTop - before : 0;
  }

  /** Appends more entries. */
  add(entries: readonly HistoryEntry[]): void {
    const { length } = this.entries;
    this.entries = [...this.entries, ...entries];
    this.element.append(...entries.map((entry, index) => this.option(entry, length + index)));
    if (this.at < 0) this.choose(0);
  }

  get count(): number {
    return this.entries.length;
  }

  get last(): HistoryEntry | undefined {
    return this.entries.at(-1);
  }

  private get chosenTop(): number {
    const option = this.element.children[this.at];
    return option instanceof HTMLElement ? option.offsetTop : 0;
  }

  private choose(index: number): void {
    const { children } = this.element;
    children[this.at]?.setAttribute('aria-selected', 'false');
    this.at = Math.min(Math.max(index, -1), this.entries.length - 1);
    const option = children[this.at];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) this.element.setAttribute('aria-activedescendant', option.id);
    else this.element.removeAttribute('aria-activedescendant');
    this.actions.chosen(this.chosen);
    this.scrolled();
  }

  private option(entry: HistoryEntry, index: number): HTMLElement {
    const made = element(
      'li',
      { role: 'option', id: `history-${index}`, class: 'history-entry', 'aria-selected': 'false' },
      element('code', { class: 'history-text' }, this.texts.line(entry)),
      element('span', { class: 'history-facts' }, this.texts.facts(entry)),
    );
    made.addEventListener('click', () => this.choose(index));
    made.addEventListener('dblclick', () => this.actions.use(entry));
    return made;
  }

  private scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    if (scrollTop + clientHeight + AHEAD >= scrollHeight) this.actions.more();
  }

  private pressed(event: KeyboardEvent): void {
    const last = this.entries.length - 1;
    const indexByKey: Readonly<Record<string, number>> = {
      ArrowDown: this.at + 1,
      ArrowUp: Math.max(0, this.at - 1),
      PageDown: this.at + 10,
      PageUp: Math.max(0, this.at - 10),
      Home: 0,
      End: last,
    };
    const index = indexByKey[event.key];
    const { chosen } = this;
    if (index !== undefined) {
      this.choose(index);
    } else if (chosen && event.key === 'Enter') {
      if (event.ctrlKey || event.metaKey) this.actions.runAgain(chosen);
      else this.actions.use(chosen);
    } else if (chosen && event.key === 'Delete') {
      this.actions.remove(chosen);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Maximum length, in characters, of a query on one line in the list. */
const MAX_LENGTH = 300;

/** Formats information about earlier queries in the user's language. */
export interface HistoryTexts {
  /** Returns the query on one line. */
  readonly line: (entry: HistoryEntry) => string;
  /** Returns the language, time, row count, and duration. */
  readonly facts: (entry: HistoryEntry) => string;
  readonly count: (total: number) => string;
}

export function historyTexts(locale: string): HistoryTexts {
  const tag = localeTag(locale);
  const dateFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  const number = new Intl.NumberFormat(tag);
  const seconds = new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  });
  return {
    line: ({ text }) =>
      text
        .slice(0, 2 * MAX_LENGTH)
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, MAX_LENGTH),
    facts: ({ language, at, rows, elapsedMs }) =>
      [
        l10n.t('{0}, {1}', LANGUAGE_NAMES[language], dateFormat.format(at)),
        rows === undefined
          ? l10n.t('not finished')
          : rows === 1
            ? l10n.t('{0} row', number.format(rows))
            : l10n.t('{0} rows', number.format(rows)),
        ...(elapsedMs === undefined ? [] : [seconds.format(elapsedMs / 1_000)]),
      ].join(' · '),
    count: (total) =>
      total === 1
        ? l10n.t('{0} query', number.format(total))
        : l10n.t('{0} queries', number.format(total)),
  };
}
