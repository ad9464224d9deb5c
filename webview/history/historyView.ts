import * as l10n from '@vscode/l10n';
import type { HistoryRow, HistorySnapshot } from '../../src/shared/history';
import { button, element, progressRing, readOnlyNote, redrawKeepingFocus } from '../ui/elements';
import {
  type HistoryTable,
  historyTable,
  type HistoryTableActions,
  type TimeFormatter,
} from './historyTable';
import { type ErrorState, type RecoveryHandlers, createErrorBox } from '../ui/createErrorBox';

/** State of the part of the panel below its header. */
export type HistoryPhase =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly errorState: ErrorState }
  | {
      readonly kind: 'ready';
      readonly loadingMore: boolean;
      readonly errorState?: ErrorState | undefined;
    };

export interface HistoryViewActions
  extends Omit<HistoryTableActions, 'select'>, Omit<RecoveryHandlers, 'retry'> {
  load(): void;
  loadMore(): void;
  selectionChanged(selected: readonly string[]): void;
}

const MORE = 'more';

/** Number of revisions in a comparison. */
const COMPARED = 2;

/** Draws the history, redraws it when the history changes, and tracks the selection. */
export class HistoryView {
  private snapshot: HistorySnapshot | undefined;
  private phase: HistoryPhase = { kind: 'loading' };
  private selected: readonly string[];
  private table: HistoryTable | undefined;
  private readonly compareButton: HTMLElement;
  private readonly status = element('p', { class: 'status', role: 'status' });

  constructor(
    private readonly root: HTMLElement,
    private readonly timeText: TimeFormatter,
    private readonly actions: HistoryViewActions,
    selected: readonly string[],
  ) {
    this.selected = selected;
    this.compareButton = button(l10n.t('Compare Selected'), () => this.compareSelected(), {
      primary: true,
      focusKey: 'compare',
    });
  }

  show(phase: HistoryPhase, snapshot: HistorySnapshot | undefined = this.snapshot): void {
    this.phase = phase;
    this.snapshot = snapshot;
    // A selected revision can be on a page that isn't loaded yet.
    if (snapshot && phase.kind === 'ready' && !snapshot.hasMore) {
      const known = new Set(snapshot.rows.map(({ key }) => key));
      this.selected = this.selected.filter((key) => known.has(key));
    }
    const shown = this.drawnRows().length;
    redrawKeepingFocus(
      this.root,
      () => this.render(),
      (focusKey) => (focusKey === MORE ? this.findFirstControl(shown) : undefined),
    );
  }

  private drawnRows(): readonly HTMLTableRowElement[] {
    return [...(this.table?.element.tBodies[0]?.rows ?? [])];
  }

  /** Returns the first control of a row, which gets focus after another page is added. */
  private findFirstControl(row: number): HTMLElement | undefined {
    return this.drawnRows()[row]?.querySelector<HTMLElement>('[data-focus]') ?? undefined;
  }

  private render(): void {
    const expanded = this.table?.getExpanded() ?? new Set<string>();
    this.table = undefined;
    const body = this.body(expanded);
    this.root.replaceChildren(this.head(), this.status, ...body);
    this.root.setAttribute('aria-busy', String(this.phase.kind === 'loading'));
    this.syncSelection();
  }

  private head(): HTMLElement {
    const { snapshot } = this;
    const name = snapshot && element('span', { class: 'name' }, snapshot.title);
    const title = name ? [l10n.t('History'), ' ', name] : [l10n.t('History')];
    return element(
      'header',
      {},
      element(
        'div',
        { class: 'titles' },
        element('h1', {}, ...title),
        element('p', { class: 'place' }, snapshot?.path),
        readOnlyNote(snapshot?.readOnly),
      ),
      element(
        'div',
        { class: 'toolbar' },
        ...(snapshot?.rows.length === 0 ? [] : [this.compareButton, this.refreshButton()]),
      ),
    );
  }

  /**
   * Applies the selection to the drawn table; screen readers announce the status when it changes.
   */
  private syncSelection(): void {
    const { phase } = this;
    const complete = this.findSelected().length === COMPARED;
    this.table?.setSelected(new Set(this.selected));
    this.compareButton.toggleAttribute('disabled', !complete);
    const hint = this.table && !complete ? l10n.t('Select two versions to compare them.') : '';
    const text = phase.kind === 'loading' ? l10n.t('Loading the history…') : hint;
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  private body(expanded: ReadonlySet<string>): HTMLElement[] {
    const { phase, snapshot } = this;
    if (phase.kind === 'loading' && !snapshot) {
      return [progressRing(l10n.t('Loading the history…'))];
    }
    if (phase.kind === 'failed') return [this.failure(phase.errorState, () => this.actions.load())];
    if (!snapshot) return [];
    if (snapshot.rows.length === 0) {
      return [
        element('p', { class: 'empty' }, l10n.t('Nothing has been changed yet.')),
        this.refreshButton(),
      ];
    }
    this.table = historyTable({
      rows: snapshot.rows,
      selected: new Set(this.selected),
      expanded,
      timeText: this.timeText,
      canRestore: snapshot.readOnly === undefined,
      actions: { ...this.actions, select: (key, selected) => this.select(key, selected) },
    });
    return [this.table.element, ...this.foot(snapshot)];
  }

  private refreshButton(): HTMLElement {
    return button(l10n.t('Refresh'), () => this.actions.load(), { focusKey: 'refresh' });
  }

  private foot(snapshot: HistorySnapshot): HTMLElement[] {
    const { phase } = this;
    if (phase.kind !== 'ready') return [];
    if (phase.errorState) return [this.failure(phase.errorState, () => this.actions.loadMore())];
    if (!snapshot.hasMore) return [];
    // The button remains visible during loading, so that the keyboard focus isn't lost.
    const more = button(l10n.t('Load More'), () => this.loadMore(), { focusKey: MORE });
    const ring = phase.loadingMore ? progressRing(l10n.t('Loading the history…')) : undefined;
    return [element('footer', {}, more, ring)];
  }

  private loadMore(): void {
    if (this.phase.kind === 'ready' && !this.phase.loadingMore) this.actions.loadMore();
  }

  private failure(errorState: ErrorState, retry: () => void): HTMLElement {
    return createErrorBox(errorState, l10n.t("Couldn't load the history."), {
      ...this.actions,
      retry,
    });
  }

  private select(key: string, selected: boolean): void {
    const others = this.selected.filter((other) => other !== key);
    // A third selected revision replaces the first selected revision, so that at most two revisions
    // are compared.
    this.selected = selected ? [...others, key].slice(-COMPARED) : others;
    this.actions.selectionChanged(this.selected);
    this.syncSelection();
  }

  private compareSelected(): void {
    const [newer, older] = this.findSelected();
    if (newer && older) this.actions.compare(older.key, newer.key);
  }

  /** Returns the loaded rows that are selected, newest first. */
  private findSelected(): readonly HistoryRow[] {
    return (this.snapshot?.rows ?? []).filter(({ key }) => this.selected.includes(key));
  }
}
