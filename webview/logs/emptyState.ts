import type { LogPart } from '../../src/shared/logs';
import type { LogStrings } from '../../src/shared/logStrings';
import { button, element } from '../ui/elements';

interface EmptyActions {
  readonly clearFilter: () => void;
  readonly addPart: () => void;
}

/** Placeholder shown when there are no lines. */
export class EmptyState {
  readonly element = element('div', { class: 'empty-state' });
  private drawn = '';

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
    if (reason === this.drawn) return;
    this.drawn = reason;
    const { empty, filter, parts: partWords } = this.strings;
    const { clearFilter, addPart } = this.actions;
    const action =
      reason === empty.nothingPasses
        ? button(filter.clear, clearFilter, { focusKey: 'clear filter' })
        : reason === empty.noParts
          ? button(partWords.add, addPart, { focusKey: 'add first part', primary: true })
          : undefined;
    this.element.replaceChildren(element('p', {}, reason));
    if (action) this.element.append(action);
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
