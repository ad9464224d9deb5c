import * as l10n from '@vscode/l10n';
import type { HistoryEntry } from '../../../src/shared/query/queryPanel';
import { closeOnEscape, element, focusWhenHere, toolButton } from '../../ui/elements';
import type { QueryContext } from '../queryContext';
import { HistoryList, type HistoryTexts, historyTexts } from './historyList';

/** Number of entries per page. */
const PAGE = 100;
/** Debounce time in milliseconds after typing. */
const TYPING = 150;

interface HistoryMatches {
  readonly entries: readonly HistoryEntry[];
  readonly total: number;
  /** True if queries are saved. */
  readonly isEnabled: boolean;
}

interface PaneActions {
  readonly use: (entry: HistoryEntry) => void;
  readonly runAgain: (entry: HistoryEntry) => void;
  readonly closed: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Searchable list of earlier queries, shown next to the editor. Queries are loaded page by page.
 */
export class HistoryPane {
  readonly element: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly list: HistoryList;
  private readonly detail: HistoryDetail;
  private readonly status = element('p', { class: 'faint history-status', role: 'status' });
  private readonly texts: HistoryTexts;
  private reading: AbortController | undefined;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private total = 0;

  constructor(
    private readonly context: QueryContext,
    private readonly actions: PaneActions,
  ) {
    const { locale } = context;
    this.texts = historyTexts(locale);
    const remove = (entry: HistoryEntry): void => void this.removeEntry(entry);
    this.detail = new HistoryDetail({ ...actions, remove });
    this.list = new HistoryList(this.texts, {
      ...actions,
      label: l10n.t('Recent queries, newest first'),
      describedBy: 'query-history-keys',
      remove,
      chosen: (entry) => this.detail.show(entry),
      more: () => void this.readMore(),
    });
    this.search = element('input', {
      type: 'search',
      class: 'query-input',
      placeholder: l10n.t('Search earlier queries'),
      'aria-label': l10n.t('Search earlier queries'),
      'data-focus': 'history search',
    });
    this.search.addEventListener('input', () => this.typed());
    this.search.addEventListener('keydown', (event) => this.pressed(event));
    this.element = element(
      'section',
      { class: 'query-history', id: 'query-history', 'aria-label': l10n.t('Recent queries') },
      this.head(),
      element(
        'p',
        { class: 'visually-hidden', id: 'query-history-keys' },
        l10n.t(
          'Arrow keys move, Enter loads the query into the editor, Ctrl+Enter runs it again, and Delete removes it.',
        ),
      ),
      this.status,
      this.list.element,
      this.detail.element,
    );
    this.element.hidden = true;
    closeOnEscape(this.element, () => this.close());
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    this.element.hidden = false;
    this.search.value = '';
    this.search.focus();
    void this.read();
  }

  close(): void {
    this.hide();
    this.actions.closed();
  }

  /** Hides the pane without moving focus. */
  hide(): void {
    this.reading?.abort();
    this.element.hidden = true;
  }

  /** Called after a query was run. The query is then the first entry. */
  outdated(): void {
    if (this.isOpen) void this.readAgain();
  }

  private head(): HTMLElement {
    const clearButton = toolButton(l10n.t('Clear All'), () => void this.clearHistory(), {
      focusKey: 'history clear',
      hint: l10n.t('Remove all queries of this connection from the history'),
    });
    const close = toolButton(l10n.t('Close'), () => this.close(), { focusKey: 'history close' });
    return element('div', { class: 'history-head' }, this.search, clearButton, close);
  }

  private typed(): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => void this.read(), TYPING);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    this.list.element.focus();
  }

  private async read(): Promise<void> {
    if (this.list.count === 0) this.status.textContent = l10n.t('Loading the history…');
    const found = await this.requestEntries(undefined, PAGE);
    if (!found) return;
    this.take(found);
    this.list.show(found.entries);
  }

  /**
   * Reloads as many entries as are shown, to preserve the scroll position. The host limits the
   * number of entries per response.
   */
  private async readAgain(): Promise<void> {
    const requestedCount = Math.max(PAGE, this.list.count);
    const found = await this.requestEntries(undefined, requestedCount);
    if (!found) return;
    const entries = [...found.entries];
    while (entries.length < Math.min(requestedCount, found.total)) {
      const nextPage = await this.requestEntries(entries.at(-1), requestedCount - entries.length);
      if (!nextPage) return;
      if (nextPage.entries.length === 0) break;
      entries.push(...nextPage.entries);
    }
    this.take(found);
    this.list.renew(entries);
  }

  private take({ total, isEnabled }: HistoryMatches): void {
    this.total = total;
    const isSearch = this.search.value.trim() !== '';
    const emptyMessage = isSearch
      ? l10n.t('No matching queries.')
      : l10n.t('Queries you run appear here.');
    const count = total === 0 ? emptyMessage : this.texts.count(total);
    this.status.textContent = isEnabled
      ? count
      : l10n.t('Queries are not saved because the setting fleetwright.query.history is off.');
    this.list.element.hidden = total === 0;
  }

  private async readMore(): Promise<void> {
    const { count } = this.list;
    if (count === 0 || count >= this.total || this.isReading) return;
    const found = await this.requestEntries(this.list.last, PAGE);
    if (!found) return;
    this.total = found.entries.length === 0 ? count : found.total;
    this.list.add(found.entries);
  }

  private get isReading(): boolean {
    return this.reading !== undefined && !this.reading.signal.aborted;
  }

  /** @returns undefined if the request failed or was superseded */
  private async requestEntries(
    last: HistoryEntry | undefined,
    limit: number,
  ): Promise<HistoryMatches | undefined> {
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    const text = this.search.value.trim();
    try {
      const after = last && { id: last.id, at: last.at };
      const request = { searchText: text, after, limit };
      const found = await this.context.host.request('searchHistory', request, reading.signal);
      return reading.signal.aborted ? undefined : found;
    } catch (error) {
      if (!reading.signal.aborted) this.actions.failed(error);
      return undefined;
    } finally {
      reading.abort();
    }
  }

  private async removeEntry({ id }: HistoryEntry): Promise<void> {
    try {
      await this.context.host.request('removeQuery', { id });
      await this.readAgain();
      if (this.element.contains(document.activeElement)) return;
      focusWhenHere(() => this.list.element.focus());
    } catch (error) {
      this.actions.failed(error);
    }
  }

  private async clearHistory(): Promise<void> {
    try {
      const { isCleared } = await this.context.host.request('clearHistory', undefined);
      if (isCleared) await this.read();
      focusWhenHere(() => this.search.focus());
    } catch (error) {
      this.actions.failed(error);
    }
  }
}

interface DetailActions {
  readonly use: (entry: HistoryEntry) => void;
  readonly runAgain: (entry: HistoryEntry) => void;
  readonly remove: (entry: HistoryEntry) => void;
}

/** The selected query from the history, with its full text and its actions. */
class HistoryDetail {
  readonly element: HTMLElement;
  private readonly text: HTMLElement;
  private entry: HistoryEntry | undefined;

  constructor(actions: DetailActions) {
    const tool = (name: keyof DetailActions, label: string, hint: string): HTMLElement => {
      const press = (): void => {
        if (this.entry) actions[name](this.entry);
      };
      return toolButton(label, press, { focusKey: `history ${name}`, hint });
    };
    this.text = element('pre', {
      class: 'history-whole',
      tabindex: '0',
      role: 'region',
      dir: 'auto',
      'aria-label': l10n.t('Query text'),
    });
    const tools = [
      tool('use', l10n.t('Use'), l10n.t('Load into the Editor')),
      tool('runAgain', l10n.t('Run Again'), l10n.t('Load into the Editor and Run')),
      tool('remove', l10n.t('Remove'), l10n.t('Remove from history')),
    ];
    this.element = element(
      'div',
      { class: 'history-detail' },
      element('div', { class: 'history-tools' }, ...tools),
      this.text,
    );
    this.show(undefined);
  }

  show(entry: HistoryEntry | undefined): void {
    this.entry = entry;
    this.element.hidden = entry === undefined;
    this.text.textContent = entry?.text ?? '';
    this.text.scrollTop = 0;
  }
}
