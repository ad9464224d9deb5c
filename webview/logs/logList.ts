import * as l10n from '@vscode/l10n';
import type { LogChange, LogDetails, LogRow, LogRows, RowOrder } from '../../src/shared/logs';
import { element, textButton } from '../ui/elements';
import { VirtualRows } from '../ui/virtualRows';
import { DrawnRows, type LogTimes, rowId, type RowStyle } from './logRow';
import { type HitRow, listenToKeys, listenToMouse, type RowClick } from './listInput';
import { OpenLines } from './openLines';
import type { PartColors } from './partChips';
import { RowWindow } from './rowWindow';
import { type RowMove, toNearestMovedIndex } from '../ui/rowGeometry';

export interface LogListActions {
  readonly fetchRows: (start: number, end: number) => Promise<LogRows>;
  readonly fetchDetails: (key: number) => Promise<LogDetails>;
  readonly loadGap: (key: number) => void;
  readonly loadOlder: () => void;
  readonly copyText: (text: string) => void;
  /** Copies the selection. */
  readonly copy: () => void;
  readonly failed: (error: unknown) => void;
  readonly drawn: () => void;
  /** Called when the list starts or stops following its end, or when `rowsAtEnd` changes. */
  readonly followingChanged: () => void;
  readonly selectionChanged: () => void;
}

export interface LogListOptions {
  readonly parts: PartColors;
  readonly times: LogTimes;
  readonly order: () => RowOrder;
  readonly actions: LogListActions;
}

/** The list of log lines; only the visible lines are drawn. */
export class LogList {
  readonly element: HTMLElement;
  readonly selection = new RowSelection();
  private readonly rows: VirtualRows;
  private readonly window: RowWindow;
  private readonly drawnRows: DrawnRows;
  private readonly openLines: OpenLines;
  private readonly older: HTMLButtonElement;
  private readonly olderRow: HTMLElement;
  private readonly day = element('div', { class: 'current-day', 'aria-hidden': 'true' });
  private times: LogTimes;
  private first = 0;
  private end = 0;
  private rowsToFollow = 0;
  private hasOlder = false;

  constructor(private readonly options: LogListOptions) {
    const { actions, parts } = options;
    this.times = options.times;
    const style = (): RowStyle => ({ times: this.times, parts, loadGap: actions.loadGap });
    this.drawnRows = new DrawnRows(style);
    this.window = new RowWindow(actions.fetchRows, () => this.rows.refresh(), actions.failed);
    this.openLines = new OpenLines({
      fetchDetails: actions.fetchDetails,
      copyText: actions.copyText,
      onHeight: (key) => this.layOutDetails(key),
    });
    const hint = l10n.t('Load Older Lines');
    this.older = textButton(hint, () => actions.loadOlder(), { focusKey: 'older', hint });
    this.olderRow = element(
      'div',
      { role: 'row', class: 'row older' },
      element('div', { role: 'gridcell', class: 'cells' }, this.older),
    );
    this.rows = new VirtualRows(listAttributes(), {
      onWindow: (start, end) => this.prepare(start, end),
      rowAt: (index) => this.rowAt(index),
      onDrawn: () => this.afterDrawing(),
      onFollowing: () => actions.followingChanged(),
      onStart: () => this.startSeen(),
    });
    this.element = element('div', { class: 'list' }, this.day, this.rows.element);
    listenToMouse(this.rows.element, {
      findIndex: (key) => this.window.findIndex(key),
      clicked: (row, click) => this.clicked(row, click),
      doubleClicked: () => this.toggleActive(),
    });
    listenToKeys(this.rows.element, this, actions.copy);
  }

  get following(): boolean {
    return this.rows.following;
  }

  /** Number of rows at the end that are drawn while the list follows its end. */
  get rowsAtEnd(): number {
    return this.rows.rowsPerPage + 4;
  }

  get count(): number {
    return this.end - this.first;
  }

  get rowsPerPage(): number {
    return this.rows.rowsPerPage;
  }

  /** True if all rows fit into the viewport. */
  get isAllSeen(): boolean {
    return this.count <= this.rowsPerPage;
  }

  /**
   * Time of the first visible row, or its receipt time if its machine's clock is skewed; undefined
   * if no row is visible.
   */
  get seenSince(): number | undefined {
    const row = this.window.at(this.rows.seen.start);
    return row?.kind === 'line' && row.skew !== undefined ? row.receivedAt : row?.at;
  }

  change({ first, end, moves, reset, newest, hasOlder, loadingOlder }: LogChange): void {
    [this.first, this.end] = [first, end];
    this.selection.change(first, end, moves, reset);
    this.window.change(first, end, moves, reset);
    if (newest) this.window.add(newest);

    this.showOlder(hasOlder, loadingOlder);
    this.rows.change({ first, end, moves, reset });
    this.rows.element.setAttribute('aria-rowcount', String(end - first));
  }

  setTimes(times: LogTimes): void {
    this.times = times;
    this.redraw();
  }

  /** Redraws all rows, for example when a part's label changes. */
  redraw(): void {
    this.element.style.setProperty('--label-length', String(this.options.parts.labelLength));
    this.drawnRows.reset();
    this.rows.refresh();
  }

  focus(): void {
    this.rows.element.focus();
  }

  scrollToEnd(): void {
    this.rows.scrollToEnd();
  }

  /** Scrolls a row to the middle and selects it. */
  show(index: number): void {
    this.selection.go(index);
    this.rows.scrollTo(index, 'center');
    this.selectionMoved();
  }

  /** Scrolls a row to the top, so that the user can continue reading there. */
  read(index: number): void {
    this.rows.scrollTo(index, 'start');
  }

  /**
   * Moves the active row by a number of rows; scrolls to the end after a step down to the last row.
   */
  step(by: number, extend: boolean): void {
    if (this.count === 0) return;

    const { active } = this.selection;
    const from = active ?? (by < 0 ? this.rows.seen.end : this.rows.seen.start - 1);
    const index = Math.min(Math.max(from + by, this.first), this.end - 1);
    this.selection.go(index, { extend });
    if (index === this.end - 1 && by > 0) this.rows.scrollToEnd();
    else this.rows.scrollTo(index, 'nearest');

    if (index === this.first && by < 0) this.startSeen();

    this.selectionMoved();
  }

  selectAll(): void {
    this.selection.selectAll();
    this.selectionMoved();
  }

  clearSelection(): void {
    this.selection.clear();
    this.selectionMoved();
  }

  /** Expands or collapses the active line; at a gap, loads the missing lines. */
  toggleActive(targetState?: 'open' | 'closed'): void {
    const { active } = this.selection;
    const row = active === undefined ? undefined : this.window.at(active);
    if (active === undefined || !row) return;

    if (row.kind === 'gap') {
      if (row.canLoad && !row.loading && targetState !== 'closed') {
        this.options.actions.loadGap(row.key);
      }

      return;
    }
    const isOpen = this.openLines.getDetails(row.key) !== undefined;
    if (targetState !== (isOpen ? 'open' : 'closed')) this.toggle(row.key, active);
  }

  /** Returns the key of the row at an index; requests the row if it isn't cached. */
  async keyAt(index: number): Promise<number | undefined> {
    const known = this.window.at(index);
    const row = known ?? (await this.options.actions.fetchRows(index, index + 1)).rows[0];
    return row?.key;
  }

  private toggle(key: number, index: number): void {
    this.rows.stay();
    if (this.openLines.getDetails(key)) {
      this.openLines.close(key);
      this.rows.setExtra(index, 0);
    } else {
      this.openLines.open(key);
    }
    this.rows.refresh();
  }

  private layOutDetails(key: number): void {
    const index = this.window.findIndex(key);
    if (index === undefined) return;

    this.rows.setExtra(index, this.openLines.getHeight(key));
    // Scroll the line that the user has just expanded into view.
    if (index === this.selection.active) this.rows.scrollTo(index, 'nearest');
  }

  private prepare(start: number, end: number): void {
    this.drawnRows.begin();
    this.window.request(start, end);
  }

  private rowAt(index: number): HTMLElement {
    const row = this.window.at(index);
    if (!row) return this.drawnRows.takePlaceholder();

    const details = this.openLines.getDetails(row.key);
    // The extra height can be at the wrong index, because only the host knows the exact indexes of
    // moved rows.
    this.rows.setExtra(index, details ? this.openLines.getHeight(row.key) : 0);
    return this.drawnRows.draw(row, {
      index: index - this.first + 1,
      selected: this.selection.has(index),
      active: index === this.selection.active,
      day: this.dayBeginningAt(index, row),
      details,
    });
  }

  private dayBeginningAt(index: number, row: LogRow): number | undefined {
    const before = this.window.at(index - 1);
    const [one, other] = [before && this.orderTime(before), this.orderTime(row)];
    return one === undefined || this.times.isSameDay(one, other) ? undefined : other;
  }

  /** Returns the time by which a row is sorted. */
  private orderTime(row: LogRow): number {
    const isByReceipt = this.options.order() === 'receipt' && row.kind === 'line';
    return isByReceipt ? (row.receivedAt ?? row.at) : row.at;
  }

  private afterDrawing(): void {
    const { rows, selection, rowsAtEnd } = this;
    const active = selection.active === undefined ? undefined : this.window.at(selection.active);
    const id = active && document.getElementById(rowId(active.key)) ? rowId(active.key) : '';
    if (id) rows.element.setAttribute('aria-activedescendant', id);
    else rows.element.removeAttribute('aria-activedescendant');

    this.showDay();
    if (this.rowsToFollow !== rowsAtEnd) {
      this.rowsToFollow = rowsAtEnd;
      this.options.actions.followingChanged();
    }
    this.options.actions.drawn();
  }

  /**
   * Shows the first visible row's day. While that row is loading, continues to show the previous
   * day.
   */
  private showDay(): void {
    const first = this.window.at(this.rows.seen.start);
    if (!first && this.count > 0) return;

    const day = first ? this.times.day(this.orderTime(first)) : '';
    if (this.day.textContent !== day) this.day.textContent = day;
  }

  private showOlder(hasOlder: boolean, loading: boolean): void {
    this.hasOlder = hasOlder && !loading;
    const text = loading ? l10n.t('Loading…') : l10n.t('Load Older Lines');
    if (this.older.textContent !== text) this.older.textContent = text;

    this.older.disabled = loading;
    this.rows.setHeader(hasOlder || loading ? this.olderRow : undefined);
  }

  private startSeen(): void {
    if (this.hasOlder) this.options.actions.loadOlder();
  }

  private selectionMoved(): void {
    this.rows.refresh();
    this.options.actions.selectionChanged();
  }

  private clicked({ key, index }: HitRow, { extend, onTwist }: RowClick): void {
    this.selection.go(index, { extend });
    if (index < this.end - 1) this.rows.stay();

    if (onTwist) this.toggle(key, index);

    this.selectionMoved();
  }
}

function listAttributes(): Readonly<Record<string, string>> {
  return {
    role: 'treegrid',
    class: 'lines',
    'aria-label': l10n.t('Log lines'),
    'aria-multiselectable': 'true',
    'aria-rowcount': '0',
    'data-focus': 'lines',
  };
}

/** The selected rows, by index: one range from the anchor to the active row. */
class RowSelection {
  private anchor: number | undefined;
  private head: number | undefined;
  private isAll = false;

  /** Index of the active row. */
  get active(): number | undefined {
    return this.head;
  }

  get all(): boolean {
    return this.isAll;
  }

  /** First and last indexes in the selection; undefined if no rows or all rows are selected. */
  get range(): { readonly from: number; readonly to: number } | undefined {
    const { anchor, head } = this;
    if (anchor === undefined || head === undefined || this.isAll) return undefined;

    return { from: Math.min(anchor, head), to: Math.max(anchor, head) };
  }

  has(index: number): boolean {
    const { range } = this;
    return this.isAll || (range !== undefined && index >= range.from && index <= range.to);
  }

  /** Returns the number of selected rows out of `count`. */
  countSelected(count: number): number {
    if (this.isAll) return count;

    return this.range ? this.range.to - this.range.from + 1 : 0;
  }

  /** Moves to a row and selects only that row, or extends the selection to it. */
  go(index: number, { extend = false } = {}): void {
    this.isAll = false;
    this.head = index;
    if (!extend) this.anchor = index;

    this.anchor ??= index;
  }

  selectAll(): void {
    this.isAll = true;
  }

  clear(): void {
    this.isAll = false;
    this.anchor = undefined;
    this.head = undefined;
  }

  /** Applies inserted, removed, and moved rows. */
  change(first: number, end: number, moves: readonly RowMove[], reset: boolean): void {
    if (reset || end <= first) {
      this.clear();
      return;
    }
    const toCurrentIndex = (index: number | undefined): number | undefined =>
      index === undefined
        ? undefined
        : Math.min(Math.max(toNearestMovedIndex(index, moves), first), end - 1);
    const { range } = this;
    if (range && toNearestMovedIndex(range.to, moves) < first) this.clear();

    this.anchor = toCurrentIndex(this.anchor);
    this.head = toCurrentIndex(this.head);
  }
}
