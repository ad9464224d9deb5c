import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import { element } from '../../ui/elements';
import type { Size } from './boxGeometry';
import type { Annotator } from './annotator';
import { BoxForm } from './boxForm';
import type { KeyedActs } from './boxKeys';
import { BoxList } from './boxList';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { labelColor } from './labelColor';
import { formatLabel } from './formatLabel';

export interface SidePaneOptions {
  readonly strings: BoxStrings;
  readonly locale: string;
  readonly acts: KeyedActs;
  readonly annotator: () => Annotator | undefined;
  readonly onLabel: (label: string) => void;
}

/**
 * Pane next to the image: the list of boxes, a form for the selected box, and the labels with their
 * keys.
 */
export class SidePane {
  readonly element: HTMLElement;
  private readonly boxes: BoxList;
  private readonly form: BoxForm;
  private readonly labels: LabelBar;

  constructor({ strings, locale, acts, annotator, onLabel }: SidePaneOptions) {
    this.boxes = new BoxList({
      ...{ strings, locale },
      onSelect: (id) => annotator()?.select(id),
    });
    this.form = new BoxForm({
      strings,
      onMove: (corners) => annotator()?.moveSelected(corners),
      onLabel: () => acts.enterLabel(),
      onZoom: () => acts.zoomToBox(),
      onDelete: () => acts.remove(),
    });
    this.labels = new LabelBar(strings, onLabel);
    this.element = element(
      'div',
      { class: 'image-side' },
      ...[this.boxes.element, this.form.element, this.labels.element],
    );
  }

  /** The list of boxes, in which the keys of the image also work. */
  get list(): HTMLElement {
    return this.boxes.list;
  }

  /**
   * Updates the pane.
   * @param isFiltered true if the image has hidden boxes
   */
  show(
    { boxes, selected, canEdit }: Annotator,
    image: Size,
    labels: readonly string[],
    isFiltered: boolean,
  ): void {
    this.form.show(selected, image, canEdit);
    this.labels.show(canEdit ? labels : []);
    // Update the list last: the other elements can make it shorter, and it scrolls to the selected
    // box.
    this.boxes.show(boxes, selected?.id, image, isFiltered);
  }
}

/** Maximum length of a tooltip in characters. */
const MAX_HINT_LENGTH = 2_000;

/** The labels that have a key, each with its number. Clicking a label assigns it to the box. */
class LabelBar {
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
