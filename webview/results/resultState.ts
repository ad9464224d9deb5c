import type { QueryProblem, ResultStatus } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { toolButton } from '../ui/toolButton';

/** How far a result is, and what of it was looked for. */
interface ShownRows {
  readonly status: ResultStatus | undefined;
  /** Rows that the text and the filters leave; as many as there are without them. */
  readonly left: number;
  /** Empty for none. */
  readonly find: string;
  readonly isFiltered: boolean;
  /** Whether the page says elsewhere why the query failed. */
  readonly isFailureListed: boolean;
}

/** What stands where rows would be: they are on their way, there are none, or they could not be read. */
export class ResultState {
  readonly element = element('div', { class: 'result-state' });

  constructor(
    private readonly strings: ResultStrings['states'],
    private readonly act: (action: string) => void,
  ) {
    this.clear();
  }

  /**
   * Says why there are no rows, when there are none.
   * @returns whether there are
   */
  present(shown: ShownRows, clearFilters: () => void): boolean {
    const { status, left, find, isFiltered, isFailureListed } = shown;
    this.clear();
    if (!status || (status.rows === 0 && !isOver(status))) this.showWaiting();
    else if (status.rows > 0 && left > 0) return true;
    else if (status.rows > 0 && isFiltered) this.showNothingMatches(find, clearFilters);
    else if (status.rows > 0) this.showNothingFound(find);
    else if (status.state === 'failed' && isFailureListed) this.showListedFailure(status);
    else if (status.state === 'failed') this.showFailure(status.problem ?? { message: '' });
    else if (status.state === 'canceled') this.put(this.said(this.strings.canceled));
    else this.showEmpty(status.lacksTimeBound === true);
    return false;
  }

  private clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  private showWaiting(): void {
    this.put(this.said(this.strings.waiting));
  }

  private showEmpty(lacksTimeBound: boolean): void {
    const { empty, emptyHint, timeBoundHint } = this.strings;
    const hint = (text: string): HTMLElement => element('p', { class: 'faint' }, text);
    this.put(this.said(empty), hint(emptyHint), ...(lacksTimeBound ? [hint(timeBoundHint)] : []));
  }

  /** @param text what was looked for */
  private showNothingFound(text: string): void {
    this.put(this.said(fillPlaceholders(this.strings.nothingFound, text)));
  }

  /** @param text what was looked for besides; empty for nothing */
  private showNothingMatches(text: string, clear: () => void): void {
    const { nothingMatches, nothingMatchesAndFound, clearFilters } = this.strings;
    const said = text === '' ? nothingMatches : fillPlaceholders(nothingMatchesAndFound, text);
    const tool = toolButton(clearFilters, clear, { focusKey: 'result clear', class: 'bordered' });
    this.put(this.said(said), tool);
  }

  private showFailure({ message, action }: QueryProblem): void {
    // Messages of failures are whole sentences, such as "Could not run the query: …".
    const text = message === '' ? this.strings.failed : message;
    this.put(element('p', { role: 'alert' }, text), this.actionButton(action));
  }

  private showListedFailure({ problem }: ResultStatus): void {
    this.put(this.said(this.strings.failureListed), this.actionButton(problem?.action));
  }

  /** A part of a result that is there could not be read. */
  showUnread(error: unknown, retry: () => void): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.put(
      element('p', { role: 'alert' }, fillPlaceholders(this.strings.notRead, reason)),
      toolButton(this.strings.retry, retry, { focusKey: 'result retry', class: 'bordered' }),
    );
  }

  /** A button for what can be done about a problem; none when this page knows no word for it. */
  actionButton(action: string | undefined): HTMLElement | undefined {
    const label = action === undefined ? undefined : this.strings.actions[action];
    if (action === undefined || label === undefined) return undefined;
    return toolButton(label, () => this.act(action), {
      ...{ focusKey: `problem ${action}`, class: 'bordered' },
    });
  }

  private said(text: string): HTMLElement {
    return element('p', {}, text);
  }

  private put(...children: (HTMLElement | undefined)[]): void {
    this.element.replaceChildren(...children.filter((child) => child !== undefined));
    this.element.hidden = false;
  }
}

/** Whether no more rows come. */
export function isOver({ state }: ResultStatus): boolean {
  return state !== 'waiting' && state !== 'running';
}
