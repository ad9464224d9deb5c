import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import { element } from '../../ui/elements';
import type { Size } from './boxGeometry';
import type { Annotator } from './annotator';
import { BoxForm } from './boxForm';
import type { KeyedActs } from './boxKeys';
import { BoxList } from './boxList';
import { LabelBar } from './labelBar';

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
