import type { ItemStrings } from '../../../../src/shared/data/itemStrings';
import type { ItemFact } from '../../../../src/shared/data/items';
import { element, textButton } from '../../../ui/elements';
import { fillPlaceholders } from '../../../ui/fillPlaceholders';
import { someLines } from '../createItemFormatter';

/** Maximum length of a shown value in characters; copying always copies the whole value. */
const LONGEST = 2_000;

/** The details of an item; users can copy each value. */
export class FactsPanel {
  readonly element: HTMLElement;
  private readonly list = element('dl', { class: 'facts' });

  constructor(
    private readonly strings: ItemStrings['detail'],
    private readonly copy: (text: string, name: string) => void,
  ) {
    this.element = element(
      'aside',
      { class: 'facts-panel', id: 'item-facts', 'aria-label': strings.facts, tabindex: '-1' },
      this.list,
    );
  }

  show(facts: readonly ItemFact[]): void {
    this.list.replaceChildren(...facts.map((fact) => this.draw(fact)));
  }

  private draw({ name, value }: ItemFact): HTMLElement {
    const { copy, copyDetail: copyOf } = this.strings;
    const label = fillPlaceholders(copyOf, name);
    const button = textButton(copy, () => this.copy(value, name), {
      ...{ focusKey: `copy ${name}`, hint: label },
    });
    button.setAttribute('aria-label', label);
    return element(
      'div',
      { class: 'fact' },
      element('dt', {}, name),
      element(
        'dd',
        { dir: 'auto' },
        element('span', { class: 'fact-value' }, someLines(value, LONGEST)),
        button,
      ),
    );
  }
}
