import * as l10n from '@vscode/l10n';
import { type LogCounts, type LogFilter, type LogPart, levelKinds } from '../../src/shared/logs';
import { button, element, toolButton } from '../ui/elements';

/**
 * Shows that there are newer lines below the visible lines, and scrolls to the newer lines when
 * pressed.
 */
export class EndPill {
  readonly element: HTMLButtonElement;
  private readonly text = element('span');
  private below = 0;
  private following = true;

  constructor(
    private readonly count: Intl.NumberFormat,
    onPress: () => void,
  ) {
    const arrow = element('span', { 'aria-hidden': 'true' }, '↓ ');
    this.element = toolButton(arrow, onPress, { focusKey: 'to end', class: 'pill' });
    this.element.append(this.text);
    this.show();
  }

  setTailing(following: boolean): void {
    this.following = following;
    if (following) this.below = 0;

    this.show();
  }

  /** Adds the given number of new lines. */
  add(lines: number): void {
    if (!this.following) this.below += Math.max(0, lines);

    this.show();
  }

  private show(): void {
    const { below } = this;
    const text =
      below > 0
        ? below === 1
          ? l10n.t('{0} new line', this.count.format(below))
          : l10n.t('{0} new lines', this.count.format(below))
        : l10n.t('Scroll to End');
    this.element.hidden = this.following;
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}

/** Reason why there are no lines. */
type Reason = 'paused' | 'filtered' | 'noParts' | 'stopped' | 'connecting' | 'noLines';

/** Panel state that determines why there are no lines. */
export interface EmptyFacts {
  readonly counts: Pick<LogCounts, 'buffered' | 'waiting'>;
  readonly filter: LogFilter;
  readonly parts: readonly LogPart[];
}

/** Placeholder shown when there are no lines. */
export class EmptyState {
  readonly element = element('div', { class: 'empty-state' });
  private drawn: Reason | undefined;
  private parts: readonly LogPart[] = [];

  constructor(private readonly actions: EmptyActions) {
    this.element.hidden = true;
  }

  show(isEmpty: boolean, facts: EmptyFacts): void {
    const reason = getReason(facts);
    this.element.hidden = !isEmpty;
    this.parts = facts.parts;
    if (reason === this.drawn) return;

    this.drawn = reason;
    const action = this.createButton(reason);
    this.element.replaceChildren(element('p', {}, formatReason(reason)));
    if (action) this.element.append(action);
  }

  private createButton(reason: Reason): HTMLElement | undefined {
    const { resume, clearFilter, addPart } = this.actions;
    switch (reason) {
      case 'paused':
        return button(l10n.t('Resume'), resume, { focusKey: 'resume', primary: true });
      case 'filtered':
        return button(l10n.t('Clear Filter'), clearFilter, { focusKey: 'clear filter' });
      case 'noParts':
        return button(l10n.t('Add Part…'), addPart, { focusKey: 'add first part', primary: true });
      case 'stopped':
        return button(l10n.t('Reconnect'), () => this.reconnect(), { focusKey: 'reconnect all' });
      default:
        return undefined;
    }
  }

  private reconnect(): void {
    for (const part of this.parts) this.actions.reconnect(part);
  }
}

function getReason({ counts: { buffered, waiting }, filter, parts }: EmptyFacts): Reason {
  const all = (...states: readonly LogPart['state'][]): boolean =>
    parts.every(({ state }) => states.includes(state));
  if (waiting > 0) return 'paused';

  if (buffered > 0 && excludesLines(filter)) return 'filtered';

  if (parts.length === 0) return 'noParts';

  if (all('stopped')) return 'stopped';

  return all('connecting', 'retrying', 'stopped') ? 'connecting' : 'noLines';
}

function excludesLines({ levels, parts, text }: LogFilter): boolean {
  return text !== '' || parts !== undefined || levels.length < levelKinds.length;
}

function formatReason(reason: Reason): string {
  switch (reason) {
    case 'paused':
      return l10n.t('Paused. New lines appear when you resume.');
    case 'filtered':
      return l10n.t('No loaded lines match the filter.');
    case 'noParts':
      return l10n.t('No parts selected.');
    case 'stopped':
      return l10n.t('No part is connected.');
    case 'connecting':
      return l10n.t('Connecting…');
    case 'noLines':
      return l10n.t('No logs yet. New lines appear here as they arrive.');
  }
}

/** Minimum time in milliseconds between two announcements of new lines. */
const PAUSE = 30000;

/**
 * Announces events to screen readers. Rare events are announced immediately, frequent events
 * periodically.
 */
export class Announcer {
  readonly element = element('div', { class: 'visually-hidden', role: 'status' });
  private lines = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly linesText: (count: number) => string) {}

  announce(text: string): void {
    this.element.textContent = text;
  }

  /** Adds new lines to the count that is announced next. */
  countLines(count: number): void {
    this.lines += count;
    if (this.lines === 0) return;

    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.announce(this.linesText(this.lines));
      this.lines = 0;
    }, PAUSE);
  }
}

export interface EmptyActions {
  readonly resume: () => void;
  readonly clearFilter: () => void;
  readonly addPart: () => void;
  readonly reconnect: (part: LogPart) => void;
}
