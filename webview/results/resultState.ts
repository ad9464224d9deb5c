import * as l10n from '@vscode/l10n';
import type { QueryProblem, ResultStatus } from '../../src/shared/query/results';
import { element, toolButton } from '../ui/elements';

/** Actions for the buttons that replace rows. */
interface ResultStateActions {
  /** Performs a problem's recovery action. */
  readonly act: (action: string) => void;
  readonly editQuery: (() => void) | undefined;
  readonly clearFilters: () => void;
  readonly clearSearch: () => void;
}

/** A result's status and the filters that apply to it. */
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

  constructor(private readonly actions: ResultStateActions) {
    this.clear();
  }

  /**
   * Explains why there are no rows. If there are rows, shows no explanation.
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
      this.put(
        this.renderMessage(l10n.t('Canceled before the first row arrived.')),
        this.editButton(),
      );
    } else {
      this.showEmpty(status.isMissingTimeBound === true);
    }
    return false;
  }

  /** The sentences in the placeholder, without its button. */
  get messageText(): string {
    const texts = [...this.element.querySelectorAll('p')].map(({ textContent }) => textContent);
    return texts.join(' ');
  }

  private clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  private showWaiting(): void {
    this.put(this.renderMessage(l10n.t('Waiting for the first row…')));
  }

  private showEmpty(isMissingTimeBound: boolean): void {
    const hint = (text: string): HTMLElement => element('p', { class: 'faint' }, text);
    this.put(
      this.renderMessage(l10n.t('The query returned no rows.')),
      hint(l10n.t('Broaden the query conditions.')),
      ...(isMissingTimeBound
        ? [
            hint(
              l10n.t(
                'Add a lower bound on time_received. Without one, some services return no rows.',
              ),
            ),
          ]
        : []),
      this.editButton(),
    );
  }

  /** @param text search text that has no matches */
  private showNothingFound(text: string): void {
    const tool = toolButton(l10n.t('Clear Search'), this.actions.clearSearch, {
      focusKey: 'result clear',
      class: 'bordered',
    });
    this.put(this.renderMessage(l10n.t('No rows contain "{0}".', text)), tool);
  }

  /** @param text the search text; empty if only filters apply */
  private showNothingMatches(text: string): void {
    const message =
      text === ''
        ? l10n.t('No rows match the filter.')
        : l10n.t('No rows match the filter and contain "{0}".', text);
    const tool = toolButton(l10n.t('Clear Filters'), this.actions.clearFilters, {
      focusKey: 'result clear',
      class: 'bordered',
    });
    this.put(this.renderMessage(message), tool);
  }

  private showFailure({ message, action }: QueryProblem): void {
    // Error messages are whole sentences, such as "Could not run the query: …".
    const text = message === '' ? l10n.t('The query failed.') : message;
    this.put(element('p', { role: 'alert' }, text), this.actionButton(action));
  }

  private showListedFailure({ problem }: ResultStatus): void {
    this.put(
      this.renderMessage(l10n.t('The query failed. See the error below the editor.')),
      this.actionButton(problem?.action),
    );
  }

  /** Shows that part of an existing result couldn't be loaded. */
  showUnread(error: unknown, retry: () => void): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.put(
      element('p', { role: 'alert' }, l10n.t("Couldn't read the result. {0}", reason)),
      toolButton(l10n.t('Retry'), retry, { focusKey: 'result retry', class: 'bordered' }),
    );
  }

  /** Returns a button for a recovery action; undefined if this page has no label for it. */
  actionButton(action: string | undefined): HTMLElement | undefined {
    const label = action === undefined ? undefined : getActionLabels()[action];
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
      toolButton(l10n.t('Edit Query'), editQuery, { focusKey: 'result edit', class: 'bordered' })
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

/** Returns the labels of recovery actions. */
function getActionLabels(): Readonly<Record<string, string>> {
  return {
    retry: l10n.t('Retry'),
    signIn: l10n.t('Sign In'),
    trustAuthority: l10n.t('Trust Certificate Authority…'),
    startLocalFleet: l10n.t('Start Local Fleet'),
    showLog: l10n.t('View Log'),
  };
}
