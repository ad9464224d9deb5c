import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { labelColor } from './labelColor';
import { formatLabel } from './formatLabel';

/** Maximum length of a tooltip in characters. */
const MAX_HINT_LENGTH = 2_000;

/** The labels that have a key, each with its number. Clicking a label assigns it to the box. */
export class LabelBar {
  readonly element: HTMLElement;
  private drawn: readonly string[] = [];

  constructor(
    private readonly strings: BoxStrings,
    private readonly onLabel: (label: string) => void,
  ) {
    this.element = element('div', {
      ...{ class: 'label-bar', role: 'group', 'aria-label': strings.labels },
    });
    this.element.hidden = true;
  }

  show(labels: readonly string[]): void {
    if (labels.length === this.drawn.length && labels.every((one, at) => one === this.drawn[at])) {
      return;
    }
    this.drawn = labels;
    this.element.hidden = labels.length === 0;
    this.element.replaceChildren(...labels.map((label, index) => this.button(label, index + 1)));
  }

  private button(label: string, number: number): HTMLElement {
    const text = formatLabel(label, 24);
    const hint = label.slice(0, MAX_HINT_LENGTH);
    const title = fillPlaceholders(this.strings.labelKey, String(number), hint);
    const swatch = element('span', { class: 'box-swatch', 'aria-hidden': 'true' });
    swatch.style.background = labelColor(label);
    const made = element(
      'button',
      {
        ...{ type: 'button', class: 'tool label-button', 'data-focus': `label ${number}` },
        ...{ 'aria-keyshortcuts': String(number), title },
      },
      element('kbd', { 'aria-hidden': 'true' }, String(number)),
      swatch,
      text,
    );
    made.addEventListener('click', () => this.onLabel(label));
    return made;
  }
}
