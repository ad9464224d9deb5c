import * as l10n from '@vscode/l10n';
import type { Completions } from '../../../src/shared/data/filterMessages';
import { element } from '../../ui/elements';

/** Debounce time in milliseconds after typing. */
const TYPING = 120;

interface ComboOptions {
  /** Prefix for element IDs; unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly complete: (text: string, signal: AbortSignal) => Promise<Completions>;
  /**
   * Called with the current value when the user presses Enter, selects a suggestion, or leaves the
   * input.
   */
  readonly onTake: (value: string) => void;
  /** Called when the user presses Backspace in an empty input. */
  readonly onBack?: () => void;
}

/**
 * A text input that suggests values and implements the keyboard interaction of the ARIA combobox
 * pattern with list autocomplete.
 */
export class ComboBox {
  readonly input: HTMLInputElement;
  readonly element: HTMLElement;
  private readonly list: SuggestionList;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private reading: AbortController | undefined;
  /** Value that Escape restores. */
  private taken = '';

  constructor(private readonly options: ComboOptions) {
    const { id, label, placeholder } = options;
    this.input = element('input', {
      type: 'text',
      id,
      class: 'filter-input',
      role: 'combobox',
      placeholder,
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': `${id}-list`,
      'aria-label': label,
      autocomplete: 'off',
      spellcheck: 'false',
      'data-focus': id,
    });
    this.list = new SuggestionList(this.input, options, (value) => this.take(value));
    this.element = element('div', { class: 'combo' }, this.input, this.list.element);
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', (event) => this.pressed(event));
    this.input.addEventListener('blur', () => this.left());
    // The list doesn't move with the input, so it is closed when an element around the input
    // scrolls.
    document.addEventListener('scroll', ({ target }) => this.scrolled(target), { capture: true });
  }

  get value(): string {
    return this.input.value;
  }

  /** Sets the input's value, unless the user is typing there. */
  set(value: string): void {
    const isTyping = document.activeElement === this.input && this.input.value !== this.taken;
    this.taken = value;
    if (!isTyping) this.input.value = value;
  }

  private typed(): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => void this.suggest(), TYPING);
  }

  private async suggest(): Promise<void> {
    const { complete } = this.options;
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    try {
      const found = await complete(this.input.value, reading.signal);
      if (!reading.signal.aborted) this.list.open(found);
    } catch (error) {
      if (reading.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.list.showNote(l10n.t("Couldn't load the suggestions: {0}", reason));
    }
  }

  private pressed(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      this.moved(key === 'ArrowDown' ? 1 : -1);
    } else if (key === 'Enter') {
      this.take(this.list.active ?? this.input.value);
    } else if (key === 'Escape') {
      if (!this.escaped()) return;
    } else if (key === 'Backspace' && this.input.value === '' && this.options.onBack) {
      this.options.onBack();
      return;
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private moved(step: 1 | -1): void {
    if (this.list.isOpen) this.list.move(step);
    else void this.suggest();
  }

  private scrolled(target: EventTarget | null): void {
    if (target instanceof Node && target.contains(this.input)) this.stop();
  }

  /**
   * Closes the list if it is open; otherwise, reverts the typed text.
   * @returns false if there was nothing to close or revert
   */
  private escaped(): boolean {
    const wasOpen = this.list.isOpen;
    this.stop();
    if (wasOpen) return true;
    if (this.input.value === this.taken) return false;
    this.input.value = this.taken;
    return true;
  }

  private left(): void {
    this.stop();
    if (this.input.value !== this.taken) this.take(this.input.value);
  }

  private take(text: string): void {
    this.stop();
    const value = text.trim();
    this.taken = value;
    this.input.value = value;
    this.options.onTake(value);
  }

  private stop(): void {
    clearTimeout(this.typing);
    this.reading?.abort();
    this.list.close();
  }
}

/** Maximum list height, in pixels. */
const MAX_HEIGHT = 200;

interface ListOptions {
  readonly id: string;
  readonly label: string;
}

/** The suggested values below a combobox. Enter selects the active value. */
class SuggestionList {
  readonly element: HTMLElement;
  private readonly options: HTMLElement;
  private readonly note = element('div', { class: 'combo-note', role: 'status' });
  private values: readonly string[] = [];
  private at = -1;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly texts: ListOptions,
    private readonly onChoose: (value: string) => void,
  ) {
    this.options = element('div', {
      role: 'listbox',
      id: `${texts.id}-list`,
      class: 'combo-options',
      'aria-label': texts.label,
    });
    this.element = element('div', { class: 'combo-popup' }, this.options, this.note);
    // Without `preventDefault`, pressing the mouse button would move focus and thereby apply the
    // typed text.
    this.element.addEventListener('pointerdown', (event) => event.preventDefault());
    this.close();
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** The active value. */
  get active(): string | undefined {
    return this.isOpen ? this.values[this.at] : undefined;
  }

  open({ values, more }: Completions): void {
    this.values = values;
    this.at = -1;
    this.options.replaceChildren(...values.map((value, index) => this.option(value, index)));
    const count = l10n.t('Suggestions: {0}', String(values.length));
    this.show(
      values.length === 0
        ? l10n.t('No existing value matches. Press Enter to use it as is.')
        : more
          ? l10n.t('More results available. Keep typing to narrow them down.')
          : count,
    );
    // If the list shows all values, the count is only for screen readers.
    this.note.classList.toggle('visually-hidden', values.length > 0 && !more);
    this.mark();
  }

  /** Shows a message instead of suggestions. */
  showNote(text: string): void {
    this.values = [];
    this.at = -1;
    this.options.replaceChildren();
    this.show(text);
    this.note.classList.remove('visually-hidden');
  }

  move(step: 1 | -1): void {
    const { length } = this.values;
    if (length === 0) return;
    this.at = (this.at < 0 && step < 0 ? length - 1 : this.at + step + length) % length;
    this.mark();
  }

  close(): void {
    this.element.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  private show(note: string): void {
    this.element.hidden = false;
    this.updatePosition();
    this.options.hidden = this.values.length === 0;
    this.input.setAttribute('aria-expanded', String(this.values.length > 0));
    this.note.textContent = note;
  }

  /**
   * Positions the list below the input, or above it if there is more space, so that scrolling
   * ancestors don't clip the list.
   */
  private updatePosition(): void {
    const { left, top, bottom, width } = this.input.getBoundingClientRect();
    const below = window.innerHeight - bottom;
    const { style } = this.element;
    style.left = `${left}px`;
    style.width = `${width}px`;
    style.top = below >= top ? `${bottom}px` : 'auto';
    style.bottom = below >= top ? 'auto' : `${below + bottom - top}px`;
    style.maxHeight = `${Math.min(MAX_HEIGHT, Math.max(below, top))}px`;
  }

  private option(value: string, index: number): HTMLElement {
    const made = element(
      'div',
      { role: 'option', id: `${this.texts.id}-${index}`, class: 'combo-option' },
      value,
    );
    made.addEventListener('click', () => this.onChoose(value));
    return made;
  }

  private mark(): void {
    for (const [index, option] of [...this.options.children].entries()) {
      option.setAttribute('aria-selected', String(index === this.at));
    }
    const active = this.options.children[this.at];
    if (active) this.input.setAttribute('aria-activedescendant', active.id);
    else this.input.removeAttribute('aria-activedescendant');
    active?.scrollIntoView({ block: 'nearest' });
  }
}
