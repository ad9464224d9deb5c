import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import type { Corners, EditedBox } from '../../../src/shared/data/boxes';
import { element } from '../../ui/elements';
import { toolButton } from '../../ui/toolButton';
import type { Size } from './boxGeometry';
import { type PixelPlace, pixelPlace } from './boxText';
import { labelText } from './labelText';

const fields = ['left', 'top', 'width', 'height'] as const;

export interface BoxFormOptions {
  readonly strings: BoxStrings;
  readonly onPlace: (corners: Corners) => void;
  readonly onLabel: () => void;
  readonly onZoom: () => void;
  readonly onDelete: () => void;
}

/** The selected box in numbers, and what can be done with it, for those who do not use the picture. */
export class BoxForm {
  readonly element: HTMLElement;
  private readonly heading = element('div', { class: 'box-heading box-name' });
  private readonly inputs: Readonly<Record<keyof PixelPlace, HTMLInputElement>>;
  private readonly changing: readonly HTMLElement[];
  private box: EditedBox | undefined;
  private image: Size = { width: 1, height: 1 };

  constructor(private readonly options: BoxFormOptions) {
    const { strings } = options;
    const input = (): HTMLInputElement =>
      element('input', { type: 'number', min: '0', step: 'any' });
    this.inputs = { left: input(), top: input(), width: input(), height: input() };
    const places = element(
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
    this.element = element('div', { class: 'box-form' }, this.heading, places, acts);
    this.element.hidden = true;
  }

  show(box: EditedBox | undefined, image: Size, canEdit: boolean): void {
    this.box = box;
    this.image = image;
    this.element.hidden = box === undefined;
    if (!box) return;
    this.heading.textContent = labelText(box.label, 60);
    this.heading.title = box.label.slice(0, 2_000);
    const place = pixelPlace(box, image);
    for (const name of fields) {
      const input = this.inputs[name];
      input.disabled = !canEdit;
      if (document.activeElement !== input) input.value = String(place[name]);
    }
    for (const control of this.changing) control.toggleAttribute('disabled', !canEdit);
  }

  private changed(): void {
    const { box, image, inputs } = this;
    if (!box) return;
    const read = (name: keyof PixelPlace, most: number): number =>
      Math.min(Math.max(inputs[name].valueAsNumber, 0), most);
    const place = pixelPlace(box, image);
    // A side whose number stays keeps its place exactly, of which the number is a rounding.
    const same = fields.map((name) => inputs[name].valueAsNumber === place[name]);
    if (
      same.every((one) => one) ||
      fields.some((name) => Number.isNaN(inputs[name].valueAsNumber))
    ) {
      this.show(box, image, true);
      return;
    }
    const [sameLeft, sameTop, sameWidth, sameHeight] = same;
    const xMin = sameLeft ? box.xMin : read('left', image.width - 1) / image.width;
    const yMin = sameTop ? box.yMin : read('top', image.height - 1) / image.height;
    const width = sameWidth ? box.xMax - box.xMin : read('width', image.width) / image.width;
    const height = sameHeight ? box.yMax - box.yMin : read('height', image.height) / image.height;
    this.options.onPlace({
      ...{ xMin, yMin, xMax: Math.min(xMin + width, 1), yMax: Math.min(yMin + height, 1) },
    });
  }
}
