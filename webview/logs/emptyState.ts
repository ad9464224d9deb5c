import type { LogPart } from '../../src/shared/logs';
import type { LogStrings } from '../../src/shared/logStrings';
import { button, element } from '../ui/elements';

interface EmptyActions {
  readonly clearFilter: () => void;
  readonly addPart: () => void;
  readonly reconnect: (part: LogPart) => void;
}

/** Placeholder shown when there are no lines. */
export class EmptyState {
  readonly element = element('div', { class: 'empty-state' });
  private drawn = '';
  private parts: readonly LogPart[] = [];

  constructor(
    private readonly strings: LogStrings,
    private readonly actions: EmptyActions,
  ) {
    this.element.hidden = true;
  }

  /** @param buffered number of buffered lines, including lines that don't match the filter */
  show(isEmpty: boolean, buffered: number, parts: readonly LogPart[]): void {
    const reason = this.reason(buffered, parts);
    this.element.hidden = !isEmpty;
    this.parts = parts;
    if (reason === this.drawn) return;
    this.drawn = reason;
    const action = this.createButton(reason);
    this.element.replaceChildren(element('p', {}, reason));
    if (action) this.element.append(action);
  }

  private createButton(reason: string): HTMLElement | undefined {
    const { empty, filter, parts } = this.strings;
    const { clearFilter, addPart } = this.actions;
    switch (reason) {
      case empty.nothingPasses:
        return button(filter.clear, clearFilter, { focusKey: 'clear filter' });
      case empty.noParts:
        return button(parts.add, addPart, { focusKey: 'add first part', primary: true });
      case empty.stopped:
        return button(parts.reconnect, () => this.reconnect(), { focusKey: 'reconnect all' });
      default:
        return undefined;
    }
  }

  private reconnect(): void {
    for (const part of this.parts) this.actions.reconnect(part);
  }

  private reason(buffered: number, parts: readonly LogPart[]): string {
    const { empty } = this.strings;
    const all = (...states: readonly LogPart['state'][]): boolean =>
      parts.every(({ state }) => states.includes(state));
    if (buffered > 0) return empty.nothingPasses;
    if (parts.length === 0) return empty.noParts;
    if (all('stopped')) return empty.stopped;
    return all('connecting', 'retrying', 'stopped') ? empty.connecting : empty.nothingYet;
  }
}
