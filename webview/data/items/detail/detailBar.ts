import type { ItemFact, ItemStrings, ItemView } from '../../../../src/shared/data/items';
import type { TrialStrings } from '../../../../src/shared/data/trials';
import { element, textButton, toggleButton, toolButton } from '../../../ui/elements';
import { fillPlaceholders } from '../../../ui/format';
import { type ItemFormatter, oneLine, someLines } from '../createItemFormatter';

export interface DetailBarActions {
  readonly back: () => void;
  readonly step: (by: 1 | -1) => void;
  readonly openDocument: () => void;
  readonly download: () => void;
  readonly copyId: () => void;
  readonly showFacts: (shown: boolean) => void;
  /** Runs a model on the item; absent if models don't support it. */
  readonly tryModel?: (() => void) | undefined;
}

/** The bar above the open item: its identity and its actions. */
export class DetailBar {
  readonly element: HTMLElement;
  private readonly name = element('h2', { class: 'detail-name' });
  private readonly position = element('span', { class: 'faint detail-position' });
  private readonly back: HTMLButtonElement;
  private readonly previous: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  private readonly facts: ReturnType<typeof toggleButton>;

  constructor(
    private readonly strings: ItemStrings['detail'] &
      Pick<TrialStrings, 'tryModel' | 'tryModelHint'>,
    private readonly text: ItemFormatter,
    actions: DetailBarActions,
  ) {
    const tool = (label: string, hint: string, onPress: () => void): HTMLButtonElement =>
      toolButton(label, onPress, { focusKey: `detail ${label}`, hint });
    this.back = tool(strings.back, strings.backHint, actions.back);
    this.previous = tool(strings.previous, strings.previousHint, () => actions.step(-1));
    this.next = tool(strings.next, strings.nextHint, () => actions.step(1));
    this.facts = toggleButton(strings.facts, actions.showFacts, {
      focusKey: 'detail facts',
      hint: strings.factsHint,
    });
    this.facts.element.setAttribute('aria-controls', 'item-facts');
    this.element = element(
      'div',
      { class: 'detail-bar', role: 'toolbar', 'aria-label': strings.tools },
      this.back,
      this.previous,
      this.next,
      this.position,
      this.name,
      actions.tryModel && tool(strings.tryModel, strings.tryModelHint, actions.tryModel),
      tool(strings.openDocument, strings.openDocumentHint, actions.openDocument),
      tool(strings.download, strings.downloadHint, actions.download),
      tool(strings.copyId, strings.copyIdHint, actions.copyId),
      this.facts.element,
    );
  }

  show({ name, index }: Pick<ItemView, 'name' | 'index'>, count: number): void {
    const { text, strings } = this;
    this.name.textContent = oneLine(name);
    this.position.textContent = fillPlaceholders(
      strings.position,
      text.number(index + 1),
      text.number(count),
    );
    this.previous.disabled = index === 0;
    this.next.disabled = index >= count - 1;
  }

  setFacts(shown: boolean): void {
    this.facts.setOn(shown);
  }

  focus(): void {
    this.back.focus();
  }
}

/** Maximum length of a shown value in characters; copying always copies the whole value. */
const MAX_VALUE_LENGTH = 2_000;

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
    const { copy, copyDetail } = this.strings;
    const label = fillPlaceholders(copyDetail, name);
    const button = textButton(copy, () => this.copy(value, name), {
      focusKey: `copy ${name}`,
      hint: label,
    });
    button.setAttribute('aria-label', label);
    return element(
      'div',
      { class: 'fact' },
      element('dt', {}, name),
      element(
        'dd',
        { dir: 'auto' },
        element('span', { class: 'fact-value' }, someLines(value, MAX_VALUE_LENGTH)),
        button,
      ),
    );
  }
}
