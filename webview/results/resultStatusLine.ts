import * as l10n from '@vscode/l10n';
import type { ResultStatus } from '../../src/shared/query/results';
import { element, toolButton } from '../ui/elements';
import { type AmountFormatter } from './resultFormat';

export interface StatusFacts {
  readonly status: ResultStatus;
  /** Number of shown rows; `among` is the total number of rows. */
  readonly count: number;
  readonly among: number;
  /**
   * True if some rows that have arrived are hidden. During a search, the previous matches stay
   * visible.
   */
  readonly hidesRows: boolean;
  readonly find: string | undefined;
  /** True if rows are filtered by columns. */
  readonly isFiltered: boolean;
  /** Name of the column by which rows are sorted. */
  readonly sortedBy: string | undefined;
  /** True while sorting, searching, or filtering is in progress. */
  readonly isWorking: boolean;
  readonly selected: number;
  /** True if the page shows the reason for the failure elsewhere. */
  readonly isFailureListed: boolean;
}

export interface StatusOptions {
  readonly amounts: AmountFormatter;
  /** Cancels the query; absent if the page has its own Cancel button. */
  readonly cancel?: (() => void) | undefined;
  readonly reapply: () => void;
  readonly actionButton: (action: string | undefined) => HTMLElement | undefined;
}

const TICK = 500;

/**
 * The line below a result, with the number of shown rows, the total number of rows, the duration,
 * and the size.
 */
export class ResultStatusLine {
  readonly element = element('div', { class: 'result-status' });
  private readonly text = element('span', { class: 'status-text' });
  private readonly amounts = element('span', { class: 'status-amounts faint' });
  private readonly cancel: HTMLButtonElement;
  private readonly reapply: HTMLButtonElement;
  private readonly action = element('span');
  private offered: string | undefined;
  private status: ResultStatus | undefined;
  /** Time when the status was received, according to this page's clock. */
  private receivedAt = 0;
  private ticking: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: StatusOptions) {
    const { cancel, reapply } = options;
    this.cancel = toolButton(l10n.t('Cancel'), () => cancel?.(), {
      focusKey: 'cancel result',
      class: 'bordered',
    });
    this.reapply = toolButton(l10n.t('Check Again'), reapply, {
      focusKey: 'look again',
      class: 'bordered',
    });
    this.element.append(this.text, this.action, this.reapply, this.cancel, this.amounts);
    this.clear();
  }

  clear(): void {
    this.stop();
    this.status = undefined;
    this.element.hidden = true;
  }

  /** The displayed text, including the number of rows shown and the total number of rows. */
  get displayedText(): string {
    return this.text.textContent;
  }

  show(facts: StatusFacts): void {
    const { status, among } = facts;
    const isRunning = status.state === 'waiting' || status.state === 'running';
    if (this.status !== status) this.receivedAt = performance.now();
    this.status = status;
    const text = describeStatus(facts, this.options);
    if (this.text.textContent !== text) this.text.textContent = text;
    this.cancel.hidden = !isRunning || !this.options.cancel;
    const isArranged = facts.hidesRows || facts.sortedBy !== undefined;
    this.reapply.hidden = !isArranged || facts.isWorking || among >= status.rows;
    this.offer(status.rows > 0 ? status.problem?.action : undefined);
    this.showAmounts();
    this.element.hidden = false;
    if (isRunning) this.ticking ??= setInterval(() => this.showAmounts(), TICK);
    else this.stop();
  }

  stop(): void {
    clearInterval(this.ticking);
    this.ticking = undefined;
  }

  private offer(action: string | undefined): void {
    if (action === this.offered) return;
    this.offered = action;
    const made = this.options.actionButton(action);
    this.action.replaceChildren(...(made ? [made] : []));
  }

  private showAmounts(): void {
    const { status, ticking } = this;
    if (!status) return;
    const { amounts } = this.options;
    const { elapsedMs, firstRowMs, bytes, state } = status;
    const isRunning = state === 'waiting' || state === 'running';
    const since = isRunning && ticking ? performance.now() - this.receivedAt : 0;
    const elapsed = amounts.duration(elapsedMs + since);
    const texts = [isRunning ? l10n.t('{0} so far', elapsed) : l10n.t('{0} in total', elapsed)];
    if (firstRowMs !== undefined) {
      texts.push(l10n.t('first row after {0}', amounts.duration(firstRowMs)));
    }
    if (bytes > 0) texts.push(amounts.bytes(bytes));
    this.amounts.textContent = texts.join(' · ');
  }
}

function describeStatus(facts: StatusFacts, { amounts }: StatusOptions): string {
  const { status, count, among, sortedBy, isWorking, selected } = facts;
  const number = (value: number): string => amounts.number(value);
  const ofState = facts.hidesRows ? describePartialState : describeState;
  const problem = facts.isFailureListed
    ? { message: l10n.t('See the error below the editor.') }
    : status.problem;
  const texts = [ofState({ ...status, problem }, number)];
  if (isWorking) {
    texts.push(describeWork(facts));
  } else {
    if (facts.hidesRows) {
      texts.push(describeMatches(facts, number(count), number(among)));
    }
    if (sortedBy !== undefined) {
      const isAll = among >= status.rows;
      const sorted = l10n.t('Sorted by {0}', sortedBy);
      const some = l10n.t(
        'Sorted within the first {0} of {1} rows received so far',
        number(among),
        number(status.rows),
      );
      texts.push(isAll ? sorted : some);
    }
  }
  if (status.hasOverflow) {
    texts.push(l10n.t("Some values aren't shown in columns because there are too many."));
  }
  if (selected === 1) texts.push(l10n.t('1 row selected'));
  if (selected > 1) texts.push(l10n.t('{0} rows selected', number(selected)));
  return texts.filter((text) => text !== '').join(' · ');
}

/** Describes how many rows match the search text and the filters. */
function describeMatches({ find, isFiltered }: StatusFacts, count: string, among: string): string {
  if (find === undefined) {
    return l10n.t('Showing {0} of {1} rows that match the filter', count, among);
  }
  return isFiltered
    ? l10n.t('Showing {0} of {1} rows that match the filter and contain "{2}"', count, among, find)
    : l10n.t('Showing {0} of {1} rows that contain "{2}"', count, among, find);
}

function describeWork({ find, isFiltered }: StatusFacts): string {
  if (isFiltered) return l10n.t('Filtering…');
  return find === undefined ? l10n.t('Sorting…') : l10n.t('Searching…');
}

/**
 * Describes the query's progress while only part of its rows are shown, without implying that these
 * are all rows or the first rows.
 */
function describePartialState(status: ResultStatus, number: (value: number) => string): string {
  if (status.state === 'complete') return '';
  if (status.state !== 'full') return describeState(status, number);
  return l10n.t(
    'Only the first {0} rows are available. Export All writes the full result.',
    number(status.rows),
  );
}

/** Describes the query's progress. Row counts refer only to rows that have already arrived. */
export function describeState(
  { state, rows, problem }: ResultStatus,
  number: (value: number) => string,
): string {
  const reason = problem?.message ?? '';
  if (rows === 0) return '';
  const count = number(rows);
  const isOne = rows === 1;
  switch (state) {
    case 'waiting':
    case 'running':
      return isOne ? l10n.t('1 row so far') : l10n.t('{0} rows so far', count);
    case 'complete':
      return isOne ? l10n.t('Showing the only row') : l10n.t('Showing all {0} rows', count);
    case 'full':
      return l10n.t('Showing the first {0} rows. Export All writes the full result.', count);
    case 'canceled':
      return isOne
        ? l10n.t('Canceled after 1 row. There might be more rows.')
        : l10n.t('Canceled after {0} rows. There might be more rows.', count);
    case 'failed':
      return isOne
        ? l10n.t('Failed after 1 row. {1}', count, reason)
        : l10n.t('Failed after {0} rows. {1}', count, reason);
  }
}
