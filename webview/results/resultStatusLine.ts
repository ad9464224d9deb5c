import type { ResultStatus } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import { element, toolButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/format';
import { type AmountFormatter } from './amountFormatter';

export interface StatusFacts {
  readonly status: ResultStatus;
  /** Number of shown rows; `among` is their total number. */
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
  readonly strings: ResultStrings['status'];
  readonly amounts: AmountFormatter;
  /** Cancels the query; absent if the page has its own Cancel button. */
  readonly cancel?: (() => void) | undefined;
  readonly reapply: () => void;
  readonly actionButton: (action: string | undefined) => HTMLElement | undefined;
}

const TICK = 500;

/**
 * The line below a result with the number of shown rows and of all rows, the duration, and the
 * size.
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
    const { strings, cancel, reapply } = options;
    this.cancel = toolButton(strings.cancel, () => cancel?.(), {
      focusKey: 'cancel result',
      class: 'bordered',
    });
    this.reapply = toolButton(strings.checkAgain, reapply, {
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

  /** The displayed text, including the number of shown rows and of all rows. */
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
    const { strings, amounts } = this.options;
    const { elapsedMs, firstRowMs, bytes, state } = status;
    const isRunning = state === 'waiting' || state === 'running';
    const since = isRunning && ticking ? performance.now() - this.receivedAt : 0;
    const elapsed = isRunning ? strings.elapsedSoFar : strings.elapsed;
    const texts = [fillPlaceholders(elapsed, amounts.duration(elapsedMs + since))];
    if (firstRowMs !== undefined) {
      texts.push(fillPlaceholders(strings.firstRow, amounts.duration(firstRowMs)));
    }
    if (bytes > 0) texts.push(amounts.bytes(bytes));
    this.amounts.textContent = texts.join(' · ');
  }
}

function describeStatus(facts: StatusFacts, { strings, amounts }: StatusOptions): string {
  const { status, count, among, find, isFiltered, sortedBy, isWorking, selected } = facts;
  const number = (value: number): string => amounts.number(value);
  const ofState = facts.hidesRows ? describePartialState : describeState;
  const problem = facts.isFailureListed ? { message: strings.seeProblemList } : status.problem;
  const texts = [ofState({ ...status, problem }, strings, number)];
  if (isWorking) {
    texts.push(describeWork(facts, strings));
  } else {
    if (facts.hidesRows) {
      const { found, filtered, filteredAndFound } = strings;
      const template = find === undefined ? filtered : isFiltered ? filteredAndFound : found;
      texts.push(fillPlaceholders(template, number(count), number(among), find ?? ''));
    }
    if (sortedBy !== undefined) {
      const isAll = among >= status.rows;
      const sorted = fillPlaceholders(strings.sorted, sortedBy);
      const some = fillPlaceholders(strings.sortedSome, number(among), number(status.rows));
      texts.push(isAll ? sorted : some);
    }
  }
  if (status.hasOverflow) texts.push(strings.overflow);
  if (selected === 1) texts.push(strings.selectedOne);
  if (selected > 1) texts.push(fillPlaceholders(strings.selected, number(selected)));
  return texts.filter((text) => text !== '').join(' · ');
}

function describeWork({ find, isFiltered }: StatusFacts, strings: ResultStrings['status']): string {
  if (isFiltered) return strings.filtering;
  return find === undefined ? strings.sorting : strings.finding;
}

/**
 * Describes the query's progress while only part of its rows are shown, without implying that these
 * are all rows or the first rows.
 */
function describePartialState(
  status: ResultStatus,
  strings: ResultStrings['status'],
  number: (value: number) => string,
): string {
  if (status.state === 'complete') return '';
  if (status.state !== 'full') return describeState(status, strings, number);
  return fillPlaceholders(strings.fullPart, number(status.rows));
}

/** Describes the query's progress: row counts refer only to rows that have already arrived. */
export function describeState(
  { state, rows, problem }: ResultStatus,
  strings: ResultStrings['status'],
  number: (value: number) => string,
): string {
  const reason = problem?.message ?? '';
  if (rows === 0) return '';
  const fill = (one: string, many: string): string =>
    fillPlaceholders(rows === 1 ? one : many, number(rows), reason);
  switch (state) {
    case 'waiting':
    case 'running':
      return fill(strings.runningOne, strings.running);
    case 'complete':
      return fill(strings.allOne, strings.all);
    case 'full':
      return fill(strings.full, strings.full);
    case 'canceled':
      return fill(strings.canceledOne, strings.canceled);
    case 'failed':
      return fill(strings.failedOne, strings.failed);
  }
}
