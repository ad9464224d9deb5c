import * as l10n from '@vscode/l10n';
import type {
  LogChange,
  LogFilter,
  LogPanelState,
  LogPart,
  LogsProtocol,
  RowOrder,
} from '../../src/shared/logs';
import type { HostConnection } from '../messaging/hostConnection';
import { element, toolButton } from '../ui/elements';
import { localeTag } from '../ui/format';
import { toNearestMovedIndex } from '../ui/rowGeometry';
import { StatusLine } from './statusLine';
import { NoticeBar } from '../ui/noticeBar';
import { Announcer, EmptyState, EndPill } from './logNotices';
import { FilterControl } from './filterControl';
import { logTimes, type LogTimes } from './logRow';
import { LogList } from './logList';
import { LogToolbar } from './logToolbar';
import { PartColors } from './partChips';

export interface LogsAppOptions {
  /** A BCP 47 language tag. */
  readonly locale: string;
  readonly filter: LogFilter;
  readonly utc: boolean;
  readonly order: RowOrder;
  /** Saves the state to restore when the panel is shown again. */
  readonly saveState: (state: Pick<LogPanelState, 'filter' | 'utc' | 'order'>) => void;
}

/** The live log panel: sends requests to the host and shows its responses. */
export class LogsApp {
  private readonly list: LogList;
  private readonly filterControl: FilterControl;
  private readonly toolbar: LogToolbar;
  private readonly jumpBox: JumpBox;
  private readonly pill: EndPill;
  private readonly status: StatusLine;
  private readonly empty: EmptyState;
  private readonly failure: NoticeBar;
  private readonly announcer: Announcer;
  private readonly colors = new PartColors();
  private readonly count: Intl.NumberFormat;
  private filter: LogFilter;
  private utc: boolean;
  private order: RowOrder;
  private parts: readonly LogPart[] = [];
  private last: LogChange | undefined;
  private undrawn: number | undefined;
  private loadsOlder = false;
  private jumping: AbortController | undefined;
  /** Number of the user's jumps that are not completed. */
  private jumps = 0;

  constructor(
    private readonly host: HostConnection<LogsProtocol>,
    root: HTMLElement,
    private readonly options: LogsAppOptions,
  ) {
    const { locale } = options;
    ({ filter: this.filter, utc: this.utc, order: this.order } = options);
    this.count = new Intl.NumberFormat(localeTag(locale));
    const times = logTimes(locale, this.utc);
    this.announcer = new Announcer((lines) =>
      lines === 1
        ? l10n.t('{0} new line', this.count.format(lines))
        : l10n.t('{0} new lines', this.count.format(lines)),
    );
    this.failure = new NoticeBar({
      class: 'failure',
      failed: l10n.t('The action failed.'),
      recover: (recovery) => host.send(recovery, undefined),
      onDismiss: () => this.list.focus(),
    });
    this.list = this.makeList();
    this.filterControl = new FilterControl({
      host,
      colors: this.colors,
      filter: this.filter,
      onFilter: (filter) => this.filterApplied(filter),
      onFailure: (error) => this.failure.showError(error),
    });
    this.toolbar = this.makeToolbar();
    const closed = (): void => this.list.focus();
    this.jumpBox = new JumpBox(times, (at) => void this.jump(at), closed);
    this.pill = new EndPill(this.count, () => {
      this.list.scrollToEnd();
      this.list.focus();
    });
    this.status = new StatusLine(this.count, () => host.send('changeLimit', undefined));
    this.empty = new EmptyState({
      resume: () => host.send('pause', { paused: false }),
      clearFilter: () => this.filterControl.clear(),
      addPart: () => host.send('addParts', undefined),
      reconnect: ({ key }) => host.send('reconnect', { part: key }),
    });
    this.draw(root);
  }

  /** Applies the parts reported by the host. */
  setParts(parts: readonly LogPart[]): void {
    const before = new Map(this.parts.map((part) => [part.key, part.state]));
    this.parts = parts;
    if (this.colors.set(parts)) this.list.redraw();
    this.filterControl.setParts(parts);
    const changed = parts.filter(({ key, state }) => before.get(key) !== state);
    const texts = changed.map(({ label, detail }) => l10n.t('{0}: {1}', label, detail));
    if (texts.length > 0) this.announcer.announce(texts.join(' '));
    this.showCounts();
  }

  /** Applies a change to the lines; notifies the host when the change is drawn. */
  change(change: LogChange): void {
    const came = this.last && !change.reset ? countAppended(this.last, change) : 0;
    // A jump leaves the reading position anyway, and restoring the position would cancel it.
    const isReading = !this.list.following && this.jumps === 0;
    const readAt = change.reset && isReading ? this.list.seenSince : undefined;
    this.last = change;
    this.undrawn = change.revision;
    this.list.change(change);
    this.pill.add(came);
    this.announcer.countLines(came);
    this.toolbar.show(change.paused, change.counts.waiting);
    this.showCounts();
    if (readAt !== undefined) void this.readOnAt(readAt);
  }

  /** Restores the reading position after the lines were replaced. */
  private async readOnAt(at: number): Promise<void> {
    if (this.list.isAllSeen) this.list.scrollToEnd();
    else await this.goTo(at, (index) => this.list.read(index));
  }

  private async jump(at: number): Promise<void> {
    const going = this.goTo(at, (index) => this.list.show(index));
    this.jumpBox.showMessage(l10n.t('Searching for that time…'));
    this.jumps += 1;
    const outcome = await going;
    this.jumps -= 1;
    // The message is about a newer request.
    if (outcome === 'superseded') return;
    const isEmpty = outcome === 'none';
    this.jumpBox.showMessage(isEmpty ? l10n.t('No lines were logged at or after that time.') : '');
    if (outcome === 'shown') this.list.focus();
  }

  /** Shows the first line at or after a time. A newer request supersedes an older one. */
  private async goTo(at: number, show: (index: number) => void): Promise<JumpOutcome> {
    this.jumping?.abort();
    this.jumpBox.showMessage('');
    const jumping = new AbortController();
    this.jumping = jumping;
    try {
      const { index } = await this.host.request('jump', { at }, jumping.signal);
      if (jumping.signal.aborted) return 'superseded';
      if (index === undefined) return 'none';
      show(index);
      return 'shown';
    } catch (error) {
      if (jumping.signal.aborted) return 'superseded';
      this.failure.showError(error);
      return 'failed';
    }
  }

  private async load(question: Promise<unknown>): Promise<void> {
    try {
      await question;
      this.failure.clear();
    } catch (error) {
      this.failure.showError(error);
    }
  }

  /** Has the host apply an action to all lines that match the shown filter. */
  private async sendAll(
    what: 'copy' | 'queryReadings' | 'exportLines' | 'openDocument',
  ): Promise<void> {
    await this.filterControl.waitUntilApplied();
    this.host.send(what, undefined);
  }

  /**
   * Has the host apply an action to the selected lines or, if no range is selected, to all lines
   * that match the filter.
   */
  private async sendSelected(what: 'copy' | 'queryReadings'): Promise<void> {
    const { range } = this.list.selection;
    if (!range) {
      await this.sendAll(what);
      return;
    }
    const [from, to] = await Promise.all([this.list.keyAt(range.from), this.list.keyAt(range.to)]);
    if (from !== undefined && to !== undefined) this.host.send(what, { from, to });
  }

  private async copyText(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.announcer.announce(l10n.t('Copied'));
    } catch (error) {
      this.failure.showError(error);
    }
  }

  private async loadOlder(): Promise<void> {
    // Scrolling triggers repeated calls.
    if (this.loadsOlder) return;
    this.loadsOlder = true;
    await this.load(this.host.request('loadOlder', undefined));
    this.loadsOlder = false;
  }

  private setUtc(utc: boolean): void {
    this.utc = utc;
    const times = logTimes(this.options.locale, utc);
    this.list.setTimes(times);
    this.jumpBox.setTimes(times);
    this.saveState();
  }

  private setOrder(order: RowOrder): void {
    this.order = order;
    this.host.send('setOrder', { order });
    this.list.redraw();
    this.saveState();
  }

  private filterApplied(filter: LogFilter): void {
    this.filter = filter;
    this.failure.clear();
    this.showCounts();
    this.saveState();
  }

  private saveState(): void {
    this.options.saveState({ filter: this.filter, utc: this.utc, order: this.order });
  }

  private drawn(): void {
    if (this.undrawn === undefined) return;
    this.host.send('drawn', { revision: this.undrawn });
    this.undrawn = undefined;
  }

  private onTailingChanged(): void {
    const { following, rowsAtEnd } = this.list;
    this.host.send('follow', { rows: following ? rowsAtEnd : 0 });
    this.pill.setTailing(following);
  }

  private showCounts(): void {
    const { last, list } = this;
    if (!last) return;
    const { counts, paused, filtering } = last;
    const selected = list.selection.countSelected(list.count);
    // Gaps in the log also take up a row, so the number of rows can exceed the number of lines.
    const shown = Math.min(list.count, counts.buffered);
    this.status.show({ counts, shown, selected, paused, filtering });
    this.list.element.classList.toggle('filtering', filtering);
    this.empty.show(list.count === 0, { counts, filter: this.filter, parts: this.parts });
  }

  private makeList(): LogList {
    const { host, colors } = this;
    const { locale } = this.options;
    return new LogList({
      parts: colors,
      times: logTimes(locale, this.utc),
      order: () => this.order,
      actions: {
        fetchRows: (start, end) => host.request('rows', { start, end }),
        fetchDetails: (key) => host.request('details', { key }),
        loadGap: (key) => void this.load(host.request('loadGap', { key })),
        loadOlder: () => void this.loadOlder(),
        copyText: (text) => void this.copyText(text),
        copy: () => void this.sendSelected('copy'),
        failed: (error) => this.failure.showError(error),
        drawn: () => this.drawn(),
        followingChanged: () => this.onTailingChanged(),
        selectionChanged: () => this.showCounts(),
      },
    });
  }

  private makeToolbar(): LogToolbar {
    const { host, list } = this;
    const actions = {
      pause: (paused: boolean) => host.send('pause', { paused }),
      openJump: () => this.jumpBox.open(list.seenSince ?? Date.now()),
      clear: () => host.send('clear', undefined),
      copy: () => void this.sendSelected('copy'),
      exportLines: () => void this.sendAll('exportLines'),
      openDocument: () => void this.sendAll('openDocument'),
      queryReadings: () => void this.sendSelected('queryReadings'),
      loadOlder: () => void this.loadOlder(),
      setUtc: (utc: boolean) => this.setUtc(utc),
      setOrder: (order: RowOrder) => this.setOrder(order),
    };
    return new LogToolbar(this.count, actions, () => ({
      utc: this.utc,
      order: this.order,
      hasOlder: this.last?.hasOlder ?? false,
      isEmpty: list.count === 0,
      hasSelection: list.selection.range !== undefined,
    }));
  }

  private draw(root: HTMLElement): void {
    const { box, levels, chips } = this.filterControl;
    const bar = element('div', { class: 'bar' }, box.element, levels.element, this.toolbar.element);
    const lines = element('div', { class: 'lines-area' });
    lines.append(this.list.element, this.empty.element, this.pill.element);
    const heading = element('h1', { class: 'visually-hidden' }, l10n.t('Log lines'));
    root.append(
      element('header', {}, heading, bar, chips.element, chips.notices, this.jumpBox.element),
      this.failure.element,
      lines,
      this.status.element,
      this.announcer.element,
    );
    root.addEventListener('keydown', (event) => this.pressed(event));
  }

  private pressed(event: KeyboardEvent): void {
    const { key, target } = event;
    const isTyping = target instanceof HTMLInputElement;
    const isControl = event.ctrlKey || event.metaKey;
    const finds = isControl ? key.toLowerCase() === 'f' : key === '/' && !isTyping;
    const pauses = key.toLowerCase() === 'p' && !isControl && !event.altKey && !isTyping;
    if (finds) this.filterControl.box.focus();
    else if (pauses) this.host.send('pause', { paused: !(this.last?.paused ?? false) });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * Outcome of a request to show the first line at or after a time: the line is shown, there is none,
 * the request failed, or a newer request superseded it.
 */
type JumpOutcome = 'shown' | 'none' | 'failed' | 'superseded';

/**
 * Returns the number of rows after the row that was the newest. Rows are also inserted before it,
 * for example when the user loads a gap.
 */
function countAppended(before: LogChange, { first, end, moves }: LogChange): number {
  if (before.end <= before.first) return end - first;
  return Math.max(0, end - 1 - toNearestMovedIndex(before.end - 1, moves));
}

/** Prompts the user for a time to jump to. */
class JumpBox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly label = element('label', { for: 'jump-time' });
  private readonly message = element('span', { class: 'jump-message', role: 'status' });

  constructor(
    private times: LogTimes,
    private readonly onJump: (at: number) => void,
    private readonly onClose: () => void,
  ) {
    this.input = element('input', {
      type: 'datetime-local',
      step: '1',
      id: 'jump-time',
      'data-focus': 'jump time',
      // Without this attribute, the browser shows no validation message for an empty input.
      required: '',
    });
    this.element = element(
      'div',
      { class: 'jump-box' },
      this.label,
      this.input,
      toolButton(l10n.t('Go'), () => this.jump(), { focusKey: 'jump' }),
      toolButton(l10n.t('Close'), () => this.close(), { focusKey: 'close jump' }),
      this.message,
    );
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.pressed(event));
    this.setTimes(times);
  }

  /**
   * Opens the prompt.
   * @param at initial time in milliseconds since 1970
   */
  open(at: number): void {
    this.element.hidden = false;
    this.input.value = this.times.toInput(at);
    this.showMessage('');
    this.input.focus();
  }

  /** Sets the time zone. The timestamp in the input doesn't change. */
  setTimes(times: LogTimes): void {
    const at = this.times.fromInput(this.input.value);
    this.times = times;
    this.label.textContent = l10n.t('Time ({0})', times.zone);
    if (Number.isFinite(at)) this.input.value = times.toInput(at);
  }

  showMessage(message: string): void {
    this.message.textContent = message;
  }

  private jump(): void {
    const at = this.times.fromInput(this.input.value);
    if (Number.isFinite(at)) this.onJump(at);
    else this.input.reportValidity();
  }

  private close(): void {
    this.element.hidden = true;
    this.onClose();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.input) this.jump();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
