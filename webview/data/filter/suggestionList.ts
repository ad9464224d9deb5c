import type { Completions } from '../../../src/shared/data/filterMessages';
import type { FilterStrings } from '../../../src/shared/data/filterStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';

/** Maximum height of the list, in pixels. */
const HIGHEST = 200;

interface ListOptions {
  readonly id: string;
  readonly label: string;
  readonly strings: FilterStrings['complete'];
}

/** The suggested values below a combobox. Enter selects the active value. */
export class SuggestionList {
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
      ...{ role: 'listbox', id: `${texts.id}-list`, class: 'combo-options' },
      'aria-label': texts.label,
    });
    this.element = element('div', { class: 'combo-popup' }, this.options, this.note);
    // Without `preventDefault`, pressing the mouse button would move the focus and thereby apply
    // the typed text.
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
    const { noMatch: nothing, more: narrow, found } = this.texts.strings;
    this.values = values;
    this.at = -1;
    this.options.replaceChildren(...values.map((value, index) => this.option(value, index)));
    const count = fillPlaceholders(found, String(values.length));
    this.show(values.length === 0 ? nothing : more ? narrow : count);
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
    style.maxHeight = `${Math.min(HIGHEST, Math.max(below, top))}px`;
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
