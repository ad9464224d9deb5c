import type { QueryProblem } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { toolButton } from '../ui/toolButton';

/** What stands where rows would be: they are on their way, there are none, or they could not be read. */
export class ResultState {
  readonly element = element('div', { class: 'result-state' });

  constructor(
    private readonly strings: ResultStrings['states'],
    private readonly act: (action: string) => void,
  ) {
    this.clear();
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  showWaiting(): void {
    this.put(this.said(this.strings.waiting));
  }

  showCancelled(): void {
    this.put(this.said(this.strings.cancelled));
  }

  showEmpty(): void {
    const { empty, emptyHint } = this.strings;
    this.put(this.said(empty), element('p', { class: 'faint' }, emptyHint));
  }

  /** @param text what was looked for */
  showNothingFound(text: string): void {
    this.put(this.said(fillPlaceholders(this.strings.nothingFound, text)));
  }

  /** @param text what was looked for besides; empty for nothing */
  showNothingMatches(text: string, clear: () => void): void {
    const { nothingMatches, nothingMatchesAndFound, clearFilters } = this.strings;
    const said = text === '' ? nothingMatches : fillPlaceholders(nothingMatchesAndFound, text);
    const tool = toolButton(clearFilters, clear, { focusKey: 'result clear', class: 'bordered' });
    this.put(this.said(said), tool);
  }

  showFailure({ message, action }: QueryProblem): void {
    const text = fillPlaceholders(this.strings.failed, message);
    this.put(element('p', { role: 'alert' }, text), this.actionButton(action));
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
