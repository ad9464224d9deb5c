import type { Completions } from '../../../src/shared/data/filterMessages';
import type { FilterStrings } from '../../../src/shared/data/filterStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { SuggestionList } from './suggestionList';

/** Debounce time in milliseconds after typing. */
const TYPING = 120;

interface ComboOptions {
  /** Prefix for element IDs; unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly strings: FilterStrings['complete'];
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
      ...{ type: 'text', id, class: 'filter-input', role: 'combobox', placeholder },
      ...{ 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': `${id}-list` },
      ...{ 'aria-label': label, autocomplete: 'off', spellcheck: 'false', 'data-focus': id },
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

  /** Sets the value of the input, unless the user is typing there. */
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
    const { complete, strings: words } = this.options;
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    try {
      const found = await complete(this.input.value, reading.signal);
      if (!reading.signal.aborted) this.list.open(found);
    } catch (error) {
      if (reading.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.list.showNote(fillPlaceholders(words.failed, reason));
    }
  }

  private pressed(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') this.moved(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter') this.take(this.list.active ?? this.input.value);
    else if (key === 'Escape') {
      if (!this.escaped()) return;
    } else if (key === 'Backspace' && this.input.value === '' && this.options.onBack) {
      this.options.onBack();
      return;
    } else return;
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
