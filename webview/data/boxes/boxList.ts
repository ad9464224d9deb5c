import * as l10n from '@vscode/l10n';
import type { Corners, EditedBox } from '../../../src/shared/data/boxes';
import { element } from '../../ui/elements';
import { drawableCorners, type Size } from './boxGeometry';
import { labelColor } from './drawBoxes';
import { formatLabel } from './boxLabels';

/** Maximum length of a tooltip in characters. */
const MAX_HINT_LENGTH = 2_000;

export interface BoxListOptions {
  readonly locale: string;
  readonly onSelect: (id: string) => void;
}

interface Row {
  readonly element: HTMLElement;
  readonly swatch: HTMLElement;
  readonly text: HTMLElement;
  box: EditedBox;
}

/**
 * The boxes in an image as a list, for users who can't see the image and for boxes that other boxes
 * cover.
 */
export class BoxList {
  readonly element: HTMLElement;
  readonly list: HTMLElement;
  private readonly heading = element('div', { class: 'box-heading', id: 'box-heading' });
  private readonly empty: HTMLElement;
  private rows = new Map<string, Row>();
  private boxes: readonly EditedBox[] = [];
  private selected: string | undefined;
  private numbered = 0;

  constructor(private readonly options: BoxListOptions) {
    this.list = element('div', {
      class: 'box-list',
      role: 'listbox',
      tabindex: '0',
      'aria-labelledby': 'box-heading',
    });
    this.empty = element(
      'p',
      { class: 'faint' },
      `${l10n.t('No boxes yet.')} ${l10n.t('Drag over the image, or focus it and press B.')}`,
    );
    this.element = element('div', { class: 'box-list-pane' }, this.heading, this.empty, this.list);
    this.list.addEventListener('keydown', (event) => this.pressed(event));
  }

  /**
   * Shows boxes.
   * @param isFiltered true if the image has boxes that are hidden
   */
  show(
    boxes: readonly EditedBox[],
    selected: string | undefined,
    image: Size,
    isFiltered: boolean,
  ): void {
    if (boxes !== this.boxes) this.draw(boxes, image);
    this.empty.hidden = boxes.length > 0 || isFiltered;
    if (selected !== this.selected || boxes !== this.boxes) this.mark(selected);
    this.boxes = boxes;
  }

  private draw(boxes: readonly EditedBox[], image: Size): void {
    const { locale } = this.options;
    const count = new Intl.NumberFormat(locale).format(boxes.length);
    this.heading.textContent =
      boxes.length === 1 ? l10n.t('{0} box', count) : l10n.t('{0} boxes', count);
    this.list.hidden = boxes.length === 0;
    const rows = new Map<string, Row>();
    for (const box of boxes) {
      const row = this.rows.get(box.id) ?? this.row(box.id);
      if (row.box !== box) this.fill(row, box, describeBox(box, image, locale));
      rows.set(box.id, row);
    }
    const elements = [...rows.values()].map(({ element: one }) => one);
    const isSame =
      elements.length === this.list.children.length &&
      elements.every((one, at) => one === this.list.children[at]);
    if (!isSame) this.list.replaceChildren(...elements);
    this.rows = rows;
  }

  private row(id: string): Row {
    this.numbered += 1;
    const swatch = element('span', { class: 'box-swatch', 'aria-hidden': 'true' });
    const text = element('span', { class: 'box-text' });
    const made = element(
      'div',
      { class: 'box-option', role: 'option', id: `box-${this.numbered}` },
      swatch,
      text,
    );
    made.addEventListener('click', () => this.options.onSelect(id));
    const none: EditedBox = {
      id,
      label: '',
      xMin: 0,
      yMin: 0,
      xMax: 0,
      yMax: 0,
      state: 'saved',
      deleted: false,
      leftovers: [],
    };
    return { element: made, swatch, text, box: none };
  }

  private fill(row: Row, box: EditedBox, text: string): void {
    row.box = box;
    row.swatch.style.background = labelColor(box.label);
    row.text.textContent = text;
    row.element.title = box.label.slice(0, MAX_HINT_LENGTH);
    row.element.dataset.state = box.state;
  }

  private mark(selected: string | undefined): void {
    this.selected = selected;
    for (const [id, { element: one }] of this.rows) {
      one.setAttribute('aria-selected', String(id === selected));
    }
    const row = selected === undefined ? undefined : this.rows.get(selected);
    if (row) {
      this.list.setAttribute('aria-activedescendant', row.element.id);
      row.element.scrollIntoView({ block: 'nearest' });
    } else {
      this.list.removeAttribute('aria-activedescendant');
    }
  }

  private pressed(event: KeyboardEvent): void {
    const at = this.boxes.findIndex(({ id }) => id === this.selected);
    const last = this.boxes.length - 1;
    const indexByKey: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(at + 1, last),
      ArrowUp: Math.max(at - 1, 0),
      Home: 0,
      End: last,
    };
    const index = indexByKey[event.key];
    const box = index === undefined ? undefined : this.boxes[index];
    if (!box || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.options.onSelect(box.id);
  }
}

/** A box's position in its image's pixels. */
export interface PixelRect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Positions are rounded to tenths of a pixel, because models can place boxes at any position. */
const TENTHS = 10;

export function toPixelRect(box: Corners, image: Size): PixelRect {
  const { xMin, yMin, xMax, yMax } = drawableCorners(box);
  const pixels = (part: number, size: number): number => Math.round(part * size * TENTHS) / TENTHS;
  return {
    left: pixels(xMin, image.width),
    top: pixels(yMin, image.height),
    width: pixels(xMax - xMin, image.width),
    height: pixels(yMax - yMin, image.height),
  };
}

/** Describes a box by its label, position, and save state. */
export function describeBox(box: EditedBox, image: Size, locale: string): string {
  const { left, top, width, height } = toPixelRect(box, image);
  const number = new Intl.NumberFormat(locale);
  const numbers = [left, top, width, height].map((pixels) => number.format(pixels));
  const description = l10n.t(
    '{0}: left {1}, top {2}, {3} × {4}',
    formatLabel(box.label),
    ...numbers,
  );
  const { confidence, state } = box;
  return [
    description,
    confidence === undefined
      ? undefined
      : l10n.t('{0}% confidence', number.format(Math.round(confidence * 100))),
    state === 'saved' ? undefined : getStateNames()[state],
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** Returns the names of the states. */
function getStateNames(): Readonly<Record<'saved' | 'saving' | 'failed' | 'half', string>> {
  return {
    saved: l10n.t('saved'),
    saving: l10n.t('saving'),
    failed: l10n.t('not saved'),
    half: l10n.t('partially saved'),
  };
}
