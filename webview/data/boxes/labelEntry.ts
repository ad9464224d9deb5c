import * as l10n from '@vscode/l10n';
import { element } from '../../ui/elements';
import { labelColor } from './drawBoxes';
import { formatLabel, type LabelNumbers } from './boxLabels';

/** Maximum number of suggested labels. */
const MAX_SUGGESTIONS = 8;

/** Maximum length of a typed label. */
const MAX_ENTRY_LENGTH = '1000';

/** Position, in pixels, from the left and top of the image area. */
export interface EntryPosition {
  readonly x: number;
  readonly y: number;
}

export interface LabelEntryOptions {
  readonly labels: LabelNumbers;
  readonly onLabel: (label: string) => void;
  /** Called when the user moves on to something else after typing a label. */
  readonly onMovedOn: (label: string) => void;
  /** Called when the user closes the input without setting a label. */
  readonly onCancel: () => void;
}

/** An input for a box's label, which suggests labels in use. */
export class LabelEntry {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly list: HTMLElement;
  private readonly problem = element('div', { class: 'label-problem', role: 'alert' });
  private proposed: readonly string[] = [];
  private active = -1;
  private initial = '';

  constructor(private readonly options: LabelEntryOptions) {
    this.list = element('div', {
      class: 'label-options',
      role: 'listbox',
      id: 'label-options',
      'aria-label': l10n.t('Labels'),
    });
    this.input = element('input', {
      class: 'label-input',
      type: 'text',
      role: 'combobox',
      maxlength: MAX_ENTRY_LENGTH,
      'aria-label': l10n.t('Label'),
      'aria-autocomplete': 'list',
      'aria-expanded': 'true',
      'aria-controls': 'label-options',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    this.element = element('div', { class: 'label-entry' }, this.input, this.list, this.problem);
    this.element.hidden = true;
    this.input.addEventListener('input', () => this.propose());
    this.element.addEventListener('keydown', (event) => this.pressed(event));
    this.element.addEventListener('focusout', ({ relatedTarget }) => this.left(relatedTarget));
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /**
   * Opens the input.
   * @param label initial text, which typing replaces
   */
  open(label: string, position: EntryPosition): void {
    const { labels } = this.options;
    this.element.hidden = false;
    this.moveTo(position);
    this.initial = label;
    this.input.value = label;
    this.input.placeholder =
      labels.last === undefined
        ? l10n.t('Label')
        : l10n.t('Label (Enter for {0})', formatLabel(labels.last, 40));
    this.problem.textContent = '';
    this.propose();
    this.input.focus({ preventScroll: true });
    this.input.select();
  }

  moveTo({ x, y }: EntryPosition): void {
    this.element.style.insetInlineStart = `${x}px`;
    this.element.style.insetBlockStart = `${y}px`;
  }

  close(): void {
    this.element.hidden = true;
  }

  /** Closes the input, and passes on the label that the user has typed or selected, if any. */
  finish(): void {
    if (!this.isOpen) return;
    this.close();
    const typed = this.input.value.trim();
    const label = this.proposed[this.active] ?? typed;
    if (label !== '' && label !== this.initial) this.options.onMovedOn(label);
  }

  /** Shows that a label is missing. */
  requireLabel(): void {
    this.problem.textContent = l10n.t('A box needs a label.');
  }

  private propose(): void {
    const { labels } = this.options;
    this.problem.textContent = '';
    this.active = -1;
    this.proposed = labels.matching(this.input.value, MAX_SUGGESTIONS);
    const options = this.proposed.map((label, index) => this.option(label, index));
    this.list.replaceChildren(...options);
    this.list.hidden = options.length === 0;
    this.input.setAttribute('aria-expanded', String(options.length > 0));
    this.input.removeAttribute('aria-activedescendant');
  }

  private option(label: string, index: number): HTMLElement {
    const number = this.options.labels.numbered.indexOf(label) + 1;
    const swatch = element('span', { class: 'box-swatch', 'aria-hidden': 'true' });
    swatch.style.background = labelColor(label);
    const made = element(
      'div',
      {
        class: 'label-option',
        role: 'option',
        id: `label-option-${index}`,
        title: label.slice(0, 2_000),
      },
      swatch,
      element('span', { class: 'label-option-text' }, formatLabel(label, 60)),
      number > 0 ? element('kbd', { 'aria-hidden': 'true' }, String(number)) : undefined,
    );
    made.setAttribute('aria-selected', 'false');
    // Use `pointerdown`, because it occurs before the input loses focus.
    made.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.take(label);
    });
    return made;
  }

  private pressed(event: KeyboardEvent): void {
    // Keys that the user types here aren't meant for the image.
    event.stopPropagation();
    const { key, ctrlKey, metaKey, altKey } = event;
    const isPlain = !ctrlKey && !metaKey && !altKey;
    const number = /^[1-9]$/.test(key) ? this.options.labels.withNumber(Number(key)) : undefined;
    if (key === 'Escape') this.cancel();
    else if (key === 'Enter') this.enter();
    else if (key === 'ArrowDown') this.activate(this.active + 1);
    else if (key === 'ArrowUp') this.activate(this.active - 1);
    else if (isPlain && number !== undefined && this.isUntouched()) this.take(number);
    else return;
    event.preventDefault();
  }

  /** Returns true if the input is empty or its entire text is selected. */
  private isUntouched(): boolean {
    const { value, selectionStart, selectionEnd } = this.input;
    return selectionStart === 0 && selectionEnd === value.length;
  }

  private activate(index: number): void {
    const { length } = this.proposed;
    if (length === 0) return;
    this.active = (index + length) % length;
    [...this.list.children].forEach((option, at) => {
      option.setAttribute('aria-selected', String(at === this.active));
    });
    this.input.setAttribute('aria-activedescendant', `label-option-${this.active}`);
  }

  private enter(): void {
    const { labels } = this.options;
    const typed = this.input.value.trim();
    const label = this.proposed[this.active] ?? (typed === '' ? labels.last : typed);
    if (label === undefined) this.requireLabel();
    else this.take(label);
  }

  private take(label: string): void {
    this.close();
    this.options.onLabel(label);
  }

  private cancel(): void {
    this.close();
    this.options.onCancel();
  }

  private left(to: EventTarget | null): void {
    // If the window loses focus, the input gets it back together with the window.
    if (document.hasFocus() && !(to instanceof Node && this.element.contains(to))) this.finish();
  }
}
