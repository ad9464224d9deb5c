import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import type { Corners, EditedBox } from '../../../src/shared/data/boxes';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { drawableCorners, type Size } from './boxGeometry';
import { formatLabel } from './formatLabel';

/** Position of a box in pixels of its image. */
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
export function describeBox(
  box: EditedBox,
  image: Size,
  strings: BoxStrings,
  locale: string,
): string {
  const { left, top, width, height } = toPixelRect(box, image);
  const number = new Intl.NumberFormat(locale);
  const numbers = [left, top, width, height].map((pixels) => number.format(pixels));
  const description = fillPlaceholders(strings.description, formatLabel(box.label), ...numbers);
  const { confidence, state } = box;
  return [
    description,
    confidence === undefined
      ? undefined
      : fillPlaceholders(strings.confidence, number.format(Math.round(confidence * 100))),
    state === 'saved' ? undefined : strings.states[state],
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
