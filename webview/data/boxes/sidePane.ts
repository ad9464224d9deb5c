import * as l10n from '@vscode/l10n';
import type { Corners, EditedBox } from '../../../src/shared/data/boxes';
import { element, toolButton } from '../../ui/elements';
import { drawableCorners, type Size } from './boxGeometry';
import type { Annotator } from './annotator';
import type { KeyedActs } from './boxKeys';
import { BoxList, type PixelRect, toPixelRect } from './boxList';
import { labelColor } from './drawBoxes';
import { formatLabel } from './boxLabels';

export interface SidePaneOptions {
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

  constructor({ locale, acts, annotator, onLabel }: SidePaneOptions) {
    this.boxes = new BoxList({
      locale,
      onSelect: (id) => annotator()?.select(id),
    });
    this.form = new BoxForm({
      onMove: (corners) => annotator()?.moveSelected(corners),
      onLabel: () => acts.enterLabel(),
      onZoom: () => acts.zoomToBox(),
      onDelete: () => acts.remove(),
    });
    this.labels = new LabelBar(onLabel);
    this.element = element(
      'div',
      { class: 'image-side' },
      this.boxes.element,
      this.form.element,
      this.labels.element,
    );
  }

  /** The list of boxes, in which the image's keys also work. */
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
    // Update the list last, because the other elements can make it shorter, and it must scroll to
    // the selected box.
    this.boxes.show(boxes, selected?.id, image, isFiltered);
  }
}

/** Maximum length of a tooltip in characters. */
const MAX_HINT_LENGTH = 2_000;

/** The labels that have a key, each with its number. Clicking a label assigns it to the box. */
class LabelBar {
  readonly element: HTMLElement;
  private drawn: readonly string[] = [];

  constructor(private readonly onLabel: (label: string) => void) {
    this.element = element('div', {
      class: 'label-bar',
      role: 'group',
      'aria-label': l10n.t('Labels'),
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
    const title = l10n.t('{0}: {1}', String(number), hint);
    const swatch = element('span', { class: 'box-swatch', 'aria-hidden': 'true' });
    swatch.style.background = labelColor(label);
    const made = element(
      'button',
      {
        type: 'button',
        class: 'tool label-button',
        'data-focus': `label ${number}`,
        'aria-keyshortcuts': String(number),
        title,
      },
      element('kbd', { 'aria-hidden': 'true' }, String(number)),
      swatch,
      text,
    );
    made.addEventListener('click', () => this.onLabel(label));
    return made;
  }
}

const fields = ['left', 'top', 'width', 'height'] as const;

export interface BoxFormOptions {
  readonly onMove: (corners: Corners) => void;
  readonly onLabel: () => void;
  readonly onZoom: () => void;
  readonly onDelete: () => void;
}

/**
 * Form with the selected box's position as numbers and its actions, for users who don't use the
 * image.
 */
class BoxForm {
  readonly element: HTMLElement;
  private readonly heading = element('div', { class: 'box-heading box-name' });
  private readonly inputs: Readonly<Record<keyof PixelRect, HTMLInputElement>>;
  private readonly changing: readonly HTMLElement[];
  private box: EditedBox | undefined;
  private image: Size = { width: 1, height: 1 };

  constructor(private readonly options: BoxFormOptions) {
    const input = (): HTMLInputElement =>
      element('input', { type: 'number', min: '0', step: 'any' });
    this.inputs = { left: input(), top: input(), width: input(), height: input() };
    const labels = {
      left: l10n.t('Left'),
      top: l10n.t('Top'),
      width: l10n.t('Width'),
      height: l10n.t('Height'),
    };
    const positionFields = element(
      'div',
      { class: 'box-places' },
      ...fields.map((name) => element('label', {}, labels[name], this.inputs[name])),
    );
    for (const name of fields) {
      this.inputs[name].addEventListener('change', () => this.changed());
    }
    const label = toolButton(l10n.t('Change Label'), options.onLabel, { focusKey: 'box label' });
    const zoom = toolButton(l10n.t('Zoom to Box'), options.onZoom, { focusKey: 'box zoom' });
    const remove = toolButton(l10n.t('Delete Box'), options.onDelete, { focusKey: 'box delete' });
    this.changing = [label, remove];
    const acts = element('div', { class: 'box-acts' }, label, zoom, remove);
    this.element = element('div', { class: 'box-form' }, this.heading, positionFields, acts);
    this.element.hidden = true;
  }

  show(box: EditedBox | undefined, image: Size, canEdit: boolean): void {
    this.box = box;
    this.image = image;
    this.element.hidden = box === undefined;
    if (!box) return;
    this.heading.textContent = formatLabel(box.label, 60);
    this.heading.title = box.label.slice(0, 2_000);
    const rect = toPixelRect(box, image);
    for (const name of fields) {
      const input = this.inputs[name];
      input.disabled = !canEdit;
      if (document.activeElement !== input) input.value = String(rect[name]);
    }
    for (const control of this.changing) control.toggleAttribute('disabled', !canEdit);
  }

  private changed(): void {
    const { box, image, inputs } = this;
    if (!box) return;
    const rect = toPixelRect(box, image);
    // The form shows rounded numbers, so an unchanged number keeps the box's exact value.
    const typed = (name: keyof PixelRect): number | undefined => {
      const number = inputs[name].valueAsNumber;
      return Number.isNaN(number) || number === rect[name] ? undefined : number;
    };
    const { xMin, yMin, xMax, yMax } = drawableCorners(box);
    const [left, right] = applySide([xMin, xMax], image.width, typed('left'), typed('width'));
    const [top, bottom] = applySide([yMin, yMax], image.height, typed('top'), typed('height'));
    const applied: Corners = { xMin: left, yMin: top, xMax: right, yMax: bottom };
    const shown = toPixelRect(applied, image);
    for (const name of fields) inputs[name].value = String(shown[name]);
    if (fields.some((name) => shown[name] !== rect[name])) this.options.onMove(applied);
  }
}

/**
 * Moves or resizes a box along one axis of its image. A move preserves the size, and the result
 * stays within the image.
 *
 * @param side the box's start and end, as fractions of the image size
 * @param total image size in pixels
 * @param start entered start in pixels; undefined if unchanged
 * @param size entered size in pixels; undefined if unchanged
 */
function applySide(
  [from, to]: readonly [number, number],
  total: number,
  start: number | undefined,
  size: number | undefined,
): readonly [number, number] {
  const max = start === undefined ? 1 - from : 1;
  const length = size === undefined ? to - from : clamp(size / total, 1 / total, max);
  const begin = start === undefined ? from : clamp(start / total, 0, 1 - length);
  return [begin, Math.min(begin + length, 1)];
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), min);
}
