import * as l10n from '@vscode/l10n';
import type { ItemFact, ItemView } from '../../../../src/shared/data/items';
import { element, textButton, toggleButton, toolButton } from '../../../ui/elements';
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
    private readonly text: ItemFormatter,
    actions: DetailBarActions,
  ) {
    const tool = (label: string, hint: string, onPress: () => void): HTMLButtonElement =>
      toolButton(label, onPress, { focusKey: `detail ${label}`, hint });
    this.back = tool(l10n.t('Back'), l10n.t('Back to the list (Escape)'), actions.back);
    this.previous = tool(l10n.t('Previous'), l10n.t('Show the previous item (Page Up)'), () =>
      actions.step(-1),
    );
    this.next = tool(l10n.t('Next'), l10n.t('Show the next item (Page Down)'), () =>
      actions.step(1),
    );
    this.facts = toggleButton(l10n.t('Details'), actions.showFacts, {
      focusKey: 'detail facts',
      hint: l10n.t('Show or hide details'),
    });
    this.facts.element.setAttribute('aria-controls', 'item-facts');
    this.element = element(
      'div',
      { class: 'detail-bar', role: 'toolbar', 'aria-label': l10n.t('Item') },
      this.back,
      this.previous,
      this.next,
      this.position,
      this.name,
      actions.tryModel &&
        tool(
          l10n.t('Try Model on Image…'),
          l10n.t('Run a registry model on this image (M)'),
          actions.tryModel,
        ),
      tool(
        l10n.t('Open as Document'),
        l10n.t('Show the content in a VS Code editor'),
        actions.openDocument,
      ),
      tool(l10n.t('Download…'), l10n.t('Save to a folder'), actions.download),
      tool(l10n.t('Copy ID'), l10n.t('Copy the ID of the item'), actions.copyId),
      this.facts.element,
    );
  }

  show({ name, index }: Pick<ItemView, 'name' | 'index'>, count: number): void {
    const { text } = this;
    this.name.textContent = oneLine(name);
    this.position.textContent = l10n.t('{0} of {1}', text.number(index + 1), text.number(count));
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

/** Maximum length, in characters, of a displayed value; copying always copies the whole value. */
const MAX_VALUE_LENGTH = 2_000;

/** An item's details; users can copy each value. */
export class FactsPanel {
  readonly element: HTMLElement;
  private readonly list = element('dl', { class: 'facts' });

  constructor(private readonly copy: (text: string, name: string) => void) {
    this.element = element(
      'aside',
      { class: 'facts-panel', id: 'item-facts', 'aria-label': l10n.t('Details'), tabindex: '-1' },
      this.list,
    );
  }

  show(facts: readonly ItemFact[]): void {
    this.list.replaceChildren(...facts.map((fact) => this.draw(fact)));
  }

  private draw({ name, value }: ItemFact): HTMLElement {
    const label = l10n.t('Copy {0}', name);
    const button = textButton(l10n.t('Copy'), () => this.copy(value, name), {
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
