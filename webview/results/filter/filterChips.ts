import type { ResultStrings } from '../../../src/shared/query/resultStrings';
import { element, redrawKeepingFocus, textButton } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { toolButton } from '../../ui/toolButton';
import type { NamedFilter } from './filterSet';

interface ChipActions {
  readonly change: (filter: NamedFilter) => void;
  readonly remove: (filter: NamedFilter) => void;
  readonly clear: () => void;
}

/** The filters of a result as text, each with controls to change and remove it. */
export class FilterChips {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly clear: HTMLButtonElement;

  constructor(
    private readonly strings: ResultStrings['filter'],
    private readonly actions: ChipActions,
  ) {
    this.list = element('ul', { 'aria-label': strings.list });
    this.clear = toolButton(strings.clear, actions.clear, {
      ...{ focusKey: 'clear filters', class: 'bordered' },
    });
    this.element = element('div', { class: 'filter-chips' }, this.list, this.clear);
    this.element.hidden = true;
  }

  /** @param isUsed returns true if the result has the filter's column */
  show(filters: readonly NamedFilter[], isUsed: (filter: NamedFilter) => boolean): void {
    const chips = filters.map((filter) => this.chip(filter, isUsed(filter)));
    redrawKeepingFocus(
      this.element,
      () => this.list.replaceChildren(...chips),
      // The filter that had the focus might have been removed.
      () => this.list.querySelector('button') ?? undefined,
    );
    this.clear.hidden = filters.length < 2;
    this.element.hidden = filters.length === 0;
  }

  private chip(filter: NamedFilter, isUsed: boolean): HTMLElement {
    const { strings, actions } = this;
    const description = describeFilter(filter, strings);
    const text = isUsed ? description : fillPlaceholders(strings.unused, description);
    const change = textButton(text, () => actions.change(filter), {
      ...{ focusKey: `filter ${filter.name}`, hint: fillPlaceholders(strings.change, description) },
    });
    change.dir = 'auto';
    const remove = toolButton('✕', () => actions.remove(filter), {
      focusKey: `remove filter ${filter.name}`,
      hint: fillPlaceholders(strings.removeOne, description),
    });
    remove.setAttribute('aria-label', fillPlaceholders(strings.removeOne, description));
    return element('li', isUsed ? {} : { class: 'faint' }, change, remove);
  }
}

function describeFilter(
  { name, condition, value, upTo = '' }: NamedFilter,
  { sentences }: ResultStrings['filter'],
): string {
  return fillPlaceholders(sentences[condition], name, value, upTo);
}
