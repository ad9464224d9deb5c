import type { QueryProblem, ResultStatus } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import { element, toolButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/format';

/** Actions of the buttons that replace rows. */
interface ResultStateActions {
  /** Performs the recovery action of a problem. */
  readonly act: (action: string) => void;
  readonly editQuery: (() => void) | undefined;
  readonly clearFilters: () => void;
  readonly clearSearch: () => void;
}

/** Status of a result and the filters that apply to it. */
interface ShownRows {
  readonly status: ResultStatus | undefined;
  /**
   * Number of rows that match the search text and the filters; the number of all rows if neither is
   * set.
   */
  readonly left: number;
  /** The search text; empty if there is none. */
  readonly find: string;
  readonly isFiltered: boolean;
  /** True if the page shows the reason for the failure elsewhere. */
  readonly isFailureListed: boolean;
}

/**
 * Placeholder shown instead of rows while they are loading, when there are none, or when loading
 * failed.
 */
export class ResultState {
  readonly element = element('div', { class: 'result-state' });

  constructor(
    private readonly strings: ResultStrings['states'],
    private readonly actions: ResultStateActions,
  ) {
    this.clear();
  }

  /**
   * Explains why there are no rows; shows no explanation if there are rows.
   * @returns true if there are rows
   */
  present(shown: ShownRows): boolean {
    const { status, left, find, isFiltered, isFailureListed } = shown;
    this.clear();
    if (!status || (status.rows === 0 && !isOver(status))) {
      this.showWaiting();
    } else if (status.rows > 0 && left > 0) {
      return true;
    } else if (status.rows > 0 && isFiltered) {
      this.showNothingMatches(find);
    } else if (status.rows > 0) {
      this.showNothingFound(find);
    } else if (status.state === 'failed' && isFailureListed) {
      this.showListedFailure(status);
    } else if (status.state === 'failed') {
      this.showFailure(status.problem ?? { message: '' });
    } else if (status.state === 'canceled') {
      this.put(this.renderMessage(this.strings.canceled), this.editButton());
    } else {
      this.showEmpty(status.isMissingTimeBound === true);
    }
    return false;
  }

  /** The sentences of the placeholder, without its button. */
  get messageText(): string {
    const texts = [...this.element.querySelectorAll('p')].map(({ textContent }) => textContent);
    return texts.join(' ');
  }

  private clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  private showWaiting(): void {
    this.put(this.renderMessage(this.strings.waiting));
  }

  private showEmpty(isMissingTimeBound: boolean): void {
    const { empty, emptyHint, timeBoundHint } = this.strings;
    const hint = (text: string): HTMLElement => element('p', { class: 'faint' }, text);
    this.put(
      this.renderMessage(empty),
      hint(emptyHint),
      ...(isMissingTimeBound ? [hint(timeBoundHint)] : []),
      this.editButton(),
    );
  }

  /** @param text search text that has no matches */
  private showNothingFound(text: string): void {
    const { nothingFound, clearSearch } = this.strings;
    const tool = toolButton(clearSearch, this.actions.clearSearch, {
      focusKey: 'result clear',
      class: 'bordered',
    });
    this.put(this.renderMessage(fillPlaceholders(nothingFound, text)), tool);
  }

  /** @param text the search text; empty if only filters apply */
  private showNothingMatches(text: string): void {
    const { nothingMatches, nothingMatchesAndFound, clearFilters } = this.strings;
    const message = text === '' ? nothingMatches : fillPlaceholders(nothingMatchesAndFound, text);
    const tool = toolButton(clearFilters, this.actions.clearFilters, {
      focusKey: 'result clear',
      class: 'bordered',
    });
    this.put(this.renderMessage(message), tool);
  }

  private showFailure({ message, action }: QueryProblem): void {
    // Error messages are whole sentences, such as "Could not run the query: …".
    const text = message === '' ? this.strings.failed : message;
    this.put(element('p', { role: 'alert' }, text), this.actionButton(action));
  }

  private showListedFailure({ problem }: ResultStatus): void {
    this.put(this.renderMessage(this.strings.failureListed), this.actionButton(problem?.action));
  }

  /** Shows that part of an existing result couldn't be loaded. */
  showUnread(error: unknown, retry: () => void): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.put(
      element('p', { role: 'alert' }, fillPlaceholders(this.strings.notRead, reason)),
      toolButton(this.strings.retry, retry, { focusKey: 'result retry', class: 'bordered' }),
    );
  }

  /** Returns a button for a recovery action; undefined if this page has no label for it. */
  actionButton(action: string | undefined): HTMLElement | undefined {
    const label = action === undefined ? undefined : this.strings.actions[action];
    if (action === undefined || label === undefined) return undefined;
    return toolButton(label, () => this.actions.act(action), {
      focusKey: `problem ${action}`,
      class: 'bordered',
    });
  }

  /** Returns the button that shows the query; undefined if the page has none. */
  private editButton(): HTMLElement | undefined {
    const { editQuery } = this.actions;
    return (
      editQuery &&
      toolButton(this.strings.editQuery, editQuery, { focusKey: 'result edit', class: 'bordered' })
    );
  }

  private renderMessage(text: string): HTMLElement {
    return element('p', {}, text);
  }

  private put(...children: (HTMLElement | undefined)[]): void {
    this.element.replaceChildren(...children.filter((child) => child !== undefined));
    this.element.hidden = false;
  }
}

/** Returns true if no more rows will arrive. */
export function isOver({ state }: ResultStatus): boolean {
  return state !== 'waiting' && state !== 'running';
}
