import * as l10n from '@vscode/l10n';
import type { HistoryRow } from '../../src/shared/history';
import { type Checkbox, checkbox, element, textButton } from '../ui/elements';
import { localeTag } from '../ui/format';

export interface HistoryTableActions {
  select(key: string, selected: boolean): void;
  compare(older: string, newer: string): void;
  compareWithCurrent(key: string): void;
  restore(key: string): void;
}

interface HistoryTableOptions {
  readonly rows: readonly HistoryRow[];
  readonly selected: ReadonlySet<string>;
  /** Keys of the rows that show all changes. */
  readonly expanded: ReadonlySet<string>;
  readonly timeText: TimeFormatter;
  readonly canRestore: boolean;
  readonly actions: HistoryTableActions;
}

/** The drawn table, whose selection can change without a redraw. */
export interface HistoryTable {
  readonly element: HTMLTableElement;
  setSelected(selected: ReadonlySet<string>): void;
  /** Returns the keys of the rows that show all changes. */
  getExpanded(): ReadonlySet<string>;
}

interface DrawnRow {
  readonly key: string;
  readonly element: HTMLTableRowElement;
  readonly choice: Checkbox | undefined;
}

/** Returns the table of revisions, newest first. */
export function historyTable(options: HistoryTableOptions): HistoryTable {
  const rows = options.rows.map((row) => drawRow(row, options));
  const setSelected = (selected: ReadonlySet<string>): void => {
    for (const row of rows) {
      row.element.classList.toggle('selected', selected.has(row.key));
      row.choice?.setChecked(selected.has(row.key));
    }
  };
  setSelected(options.selected);
  const getExpanded = (): ReadonlySet<string> =>
    new Set(rows.filter((row) => row.element.querySelector('details[open]')).map(({ key }) => key));
  return { element: createTable(rows), setSelected, getExpanded };
}

function createTable(rows: readonly DrawnRow[]): HTMLTableElement {
  return element(
    'table',
    { 'aria-label': l10n.t('History') },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col', class: 'select' }, hidden(l10n.t('Select'))),
        element('th', { scope: 'col' }, l10n.t('Time')),
        element('th', { scope: 'col' }, l10n.t('Editor')),
        element('th', { scope: 'col' }, l10n.t('Change')),
        element('th', { scope: 'col' }, hidden(l10n.t('Actions'))),
      ),
    ),
    element('tbody', {}, ...rows.map((row) => row.element)),
  );
}

function drawRow(row: HistoryRow, options: HistoryTableOptions): DrawnRow {
  const editor = row.editor || l10n.t('unknown');
  const choice = row.available ? selection(row, options) : undefined;
  const drawn = element(
    'tr',
    {},
    element('td', { class: 'select' }, choice?.element),
    element('td', { class: 'time' }, time(row, options)),
    element('td', { class: 'editor', title: editor }, editor),
    element('td', { class: 'change' }, change(row, options)),
    element('td', { class: 'actions' }, ...rowActions(row, options)),
  );
  return { key: row.key, element: drawn, choice };
}

function selection(
  { key, madeOn, editor }: HistoryRow,
  { selected, timeText, actions }: HistoryTableOptions,
): Checkbox {
  const label =
    madeOn === undefined
      ? l10n.t('Select the first version')
      : l10n.t(
          'Select the version from {0} by {1}',
          timeText.local(madeOn),
          editor || l10n.t('unknown'),
        );
  const onChange = (checked: boolean): void => actions.select(key, checked);
  return checkbox(label, selected.has(key), onChange, { focusKey: `select ${key}` });
}

function time(row: HistoryRow, { timeText }: HistoryTableOptions): HTMLElement {
  const { madeOn } = row;
  const when =
    madeOn === undefined
      ? element('span', {}, l10n.t('Beginning'))
      : element(
          'time',
          { datetime: new Date(madeOn).toISOString(), title: timeText.utc(madeOn) },
          timeText.local(madeOn),
        );
  const badge = row.current ? element('span', { class: 'badge' }, l10n.t('current')) : undefined;
  return element('div', { class: 'when' }, when, badge);
}

function change(
  { key, summary, details, available }: HistoryRow,
  { expanded }: HistoryTableOptions,
): HTMLElement {
  if (!available) {
    return element('span', { class: 'faint' }, l10n.t('The service no longer has this version.'));
  }
  if (details.length <= 1) return element('span', { title: details[0] ?? summary }, summary);
  const lines = details.map((line) => element('li', {}, line));
  return element(
    'details',
    { open: expanded.has(key) ? '' : undefined },
    element('summary', { title: l10n.t('Show all changes') }, summary),
    element('ul', {}, ...lines),
  );
}

function rowActions(
  { key, available, previousKey, current }: HistoryRow,
  { actions, canRestore }: HistoryTableOptions,
): HTMLElement[] {
  if (!available) return [];
  const make = (label: string, hint: string, onPress: () => void): HTMLElement =>
    textButton(label, onPress, { focusKey: `${label} ${key}`, hint });
  const buttons: HTMLElement[] = [];
  if (previousKey !== undefined) {
    buttons.push(
      make(l10n.t('Changes'), l10n.t('Show what this edit changed'), () =>
        actions.compare(previousKey, key),
      ),
    );
  }
  if (!current) {
    buttons.push(
      make(l10n.t('Compare'), l10n.t('Compare this version with the current one'), () =>
        actions.compareWithCurrent(key),
      ),
    );
  }
  if (!current && canRestore) {
    buttons.push(
      make(l10n.t('Restore'), l10n.t('Restore this version'), () => actions.restore(key)),
    );
  }
  return buttons;
}

function hidden(text: string): HTMLElement {
  return element('span', { class: 'visually-hidden' }, text);
}

/** Formats timestamps in the user's language. */
export interface TimeFormatter {
  /** Formats a timestamp in this computer's time zone. */
  local(milliseconds: number): string;
  utc(milliseconds: number): string;
}

export function timeTextFor(locale: string): TimeFormatter {
  const tag = localeTag(locale);
  const local = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  return {
    local: (milliseconds) => local.format(milliseconds),
    utc: (milliseconds) =>
      `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  };
}
