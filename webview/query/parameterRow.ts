import * as l10n from '@vscode/l10n';
import { getOwn } from '../../src/base/getOwn';
import type { Texts } from '../../src/shared/query/queryPanel';
import { element, focusWhenHere, redrawKeepingFocus, toolButton } from '../ui/elements';

interface RowOptions {
  readonly values: Texts;
  readonly onChange: (values: Texts) => void;
  /** Prompts the user to select a value; undefined if the user cancels. */
  readonly pick: (name: string) => Promise<string | undefined>;
  readonly failed: (error: unknown) => void;
  readonly run: () => void;
}

/**
 * Inputs for the parameters of the query. A parameter's value is preserved while its name is
 * temporarily missing from the text.
 */
export class ParameterRow {
  readonly element: HTMLElement;
  private readonly boxes = new Map<string, HTMLInputElement>();
  private known: Texts;
  private names: readonly string[] = [];
  /** True if the input for a parameter without a value must be focused as soon as it exists. */
  private awaitsMissing = false;

  constructor(private readonly options: RowOptions) {
    this.known = options.values;
    this.element = element('div', {
      class: 'query-parameters',
      role: 'group',
      'aria-label': l10n.t('Parameters'),
    });
    this.element.hidden = true;
  }

  /**
   * All known values, including the values of parameters whose names were just added to the text.
   * An empty input has no value.
   */
  get values(): Texts {
    return Object.fromEntries(Object.entries(this.known).filter(([, value]) => value !== ''));
  }

  show(names: readonly string[]): void {
    if (names.join('\n') === this.names.join('\n')) return;
    this.names = names;
    this.boxes.clear();
    redrawKeepingFocus(
      this.element,
      () => this.element.replaceChildren(...names.map((name, index) => this.field(name, index))),
      () => undefined,
    );
    this.element.hidden = names.length === 0;
    if (this.awaitsMissing) this.focusMissing();
  }

  /** Focuses the first input without a value as soon as it exists. */
  focusMissing(): void {
    const missing = [...this.boxes.values()].find(({ value }) => value === '');
    this.awaitsMissing = missing === undefined;
    missing?.setAttribute('aria-invalid', 'true');
    missing?.focus();
  }

  /**
   * Cancels a pending `focusMissing`, because the user is typing in the editor and focus must stay
   * there.
   */
  textChanged(): void {
    this.awaitsMissing = false;
  }

  private field(name: string, index: number): HTMLElement {
    const { run } = this.options;
    const id = `query-parameter-${index}`;
    const box = element('input', {
      type: 'text',
      id,
      class: 'query-input',
      autocomplete: 'off',
      spellcheck: 'false',
      title: l10n.t('Value of {0}', name),
      'data-focus': `parameter ${name}`,
    });
    box.value = getOwn(this.known, name) ?? '';
    box.addEventListener('input', () => this.take(name, box));
    box.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      run();
    });
    this.boxes.set(name, box);
    const choose = toolButton(l10n.t('Select…'), () => void this.choose(name), {
      focusKey: `choose ${name}`,
      hint: l10n.t('Select the value of {0} from the fleet', name),
    });
    choose.setAttribute('aria-label', l10n.t('Select the value of {0} from the fleet', name));
    const label = element('label', { for: id, dir: 'auto' }, name);
    return element('div', { class: 'query-parameter' }, label, box, choose);
  }

  private async choose(name: string): Promise<void> {
    try {
      const value = await this.options.pick(name);
      const box = this.boxes.get(name);
      if (value === undefined || !box) return;
      box.value = value;
      this.take(name, box);
      focusWhenHere(() => box.focus());
    } catch (error) {
      this.options.failed(error);
    }
  }

  private take(name: string, box: HTMLInputElement): void {
    box.removeAttribute('aria-invalid');
    this.known = { ...this.known, [name]: box.value };
    this.options.onChange(this.known);
  }
}
