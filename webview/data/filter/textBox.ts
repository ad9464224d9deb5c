import { element } from '../../ui/elements';

interface TextBoxOptions {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  /** Called when the user presses Enter or leaves the input. */
  readonly onTake: (value: string) => void;
}

/** A text input whose value is applied when the user finishes editing. */
export class TextBox {
  readonly element: HTMLInputElement;
  /** Value that Escape restores. */
  private taken = '';

  constructor({ id, label, placeholder, onTake }: TextBoxOptions) {
    this.element = element('input', {
      ...{ type: 'text', id, class: 'filter-input', placeholder, 'aria-label': label },
      ...{ autocomplete: 'off', spellcheck: 'false', 'data-focus': id },
    });
    const take = (): void => {
      const value = this.element.value.trim();
      if (value === this.taken) return;
      this.taken = value;
      onTake(value);
    };
    this.element.addEventListener('blur', take);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') take();
      else if (event.key !== 'Escape' || this.element.value === this.taken) return;
      else this.element.value = this.taken;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Sets the value of the input, unless the user is typing there. */
  set(value: string): void {
    const isTyping = document.activeElement === this.element && this.element.value !== this.taken;
    this.taken = value;
    if (!isTyping) this.element.value = value;
  }
}
