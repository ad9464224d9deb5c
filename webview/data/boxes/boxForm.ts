import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import type { Corners, EditedBox } from '../../../src/shared/data/boxes';
import { element } from '../../ui/elements';
import { toolButton } from '../../ui/toolButton';
import { drawableCorners, type Size } from './boxGeometry';
import { type PixelRect, toPixelRect } from './describeBox';
import { formatLabel } from './formatLabel';

const fields = ['left', 'top', 'width', 'height'] as const;

export interface BoxFormOptions {
  readonly strings: BoxStrings;
  readonly onMove: (corners: Corners) => void;
  readonly onLabel: () => void;
  readonly onZoom: () => void;
  readonly onDelete: () => void;
}

/**
 * Form with the selected box's position as numbers and its actions, for users who don't use the
 * image.
 */
export class BoxForm {
  readonly element: HTMLElement;
  private readonly heading = element('div', { class: 'box-heading box-name' });
  private readonly inputs: Readonly<Record<keyof PixelRect, HTMLInputElement>>;
  private readonly changing: readonly HTMLElement[];
  private box: EditedBox | undefined;
  private image: Size = { width: 1, height: 1 };

  constructor(private readonly options: BoxFormOptions) {
    const { strings } = options;
    const input = (): HTMLInputElement =>
      element('input', { type: 'number', min: '0', step: 'any' });
    this.inputs = { left: input(), top: input(), width: input(), height: input() };
    const positionFields = element(
      'div',
      { class: 'box-places' },
      ...fields.map((name) => element('label', {}, strings[name], this.inputs[name])),
    );
    for (const name of fields) {
      this.inputs[name].addEventListener('change', () => this.changed());
    }
    const label = toolButton(strings.changeLabel, options.onLabel, { focusKey: 'box label' });
    const zoom = toolButton(strings.zoomToBox, options.onZoom, { focusKey: 'box zoom' });
    const remove = toolButton(strings.deleteBox, options.onDelete, { focusKey: 'box delete' });
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
    // The form shows rounded numbers, so an unchanged number keeps the exact value of the box.
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
 * @param side start and end of the box, as fractions of the image size
 * @param total size of the image in pixels
 * @param start entered start in pixels; undefined if unchanged
 * @param size entered size in pixels; undefined if unchanged
 */
function applySide(
  [from, to]: readonly [number, number],
  total: number,
  start: number | undefined,
  size: number | undefined,
): readonly [number, number] {
  const most = start === undefined ? 1 - from : 1;
  const length = size === undefined ? to - from : clamp(size / total, 1 / total, most);
  const begin = start === undefined ? from : clamp(start / total, 0, 1 - length);
  return [begin, Math.min(begin + length, 1)];
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), least);
}
