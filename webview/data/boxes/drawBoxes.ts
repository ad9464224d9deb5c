import type { BoxView } from '../../../src/shared/data/boxes';
import { type Frame, placeOf } from './boxGeometry';
import { labelColor, onLabelColor } from './labelColor';
import { labelText } from './labelText';

export interface BoxLooks {
  /** Labels are left out where a picture is too small for them. */
  readonly labels?: boolean;
  /** Size of labels in CSS pixels. */
  readonly fontSize?: number;
  /** The ids of boxes that are drawn broken: what is not, or not yet, as it is stored. */
  readonly broken?: ReadonlySet<string>;
}

const LABEL_LENGTH = 32;
const PADDING = 3;
const LINE = 2;

/**
 * Draws boxes over an image that is drawn in `frame`. The context measures in CSS pixels: the owner of the
 * canvas has scaled it by the device pixel ratio. A dark rim makes a line seen on every picture.
 */
export function drawBoxes(
  context: CanvasRenderingContext2D,
  boxes: readonly BoxView[],
  frame: Frame,
  { labels = true, fontSize = 12, broken }: BoxLooks = {},
): void {
  context.save();
  context.font = `600 ${fontSize}px sans-serif`;
  context.textBaseline = 'middle';
  // What is measured in a right-to-left page is drawn from the left all the same.
  context.direction = 'ltr';
  context.textAlign = 'left';
  for (const box of boxes) drawBox(context, box, frame, broken?.has(box.id) === true);
  if (labels) for (const box of boxes) drawLabel(context, box, frame, fontSize);
  context.restore();
}

function drawBox(
  context: CanvasRenderingContext2D,
  box: BoxView,
  frame: Frame,
  broken: boolean,
): void {
  const { x, y, width, height } = placeOf(box, frame);
  context.setLineDash(broken ? [6, 4] : []);
  context.strokeStyle = 'rgb(0 0 0 / 65%)';
  context.lineWidth = LINE + 2;
  context.strokeRect(x, y, width, height);
  context.strokeStyle = labelColor(box.label);
  context.lineWidth = LINE;
  context.strokeRect(x, y, width, height);
}

function drawLabel(
  context: CanvasRenderingContext2D,
  box: BoxView,
  frame: Frame,
  fontSize: number,
): void {
  const { x, y, width: boxWidth } = placeOf(box, frame);
  const text = fitText(context, textOf(box), boxWidth + LINE - 2 * PADDING);
  if (text === '') return;
  const height = fontSize + 2 * PADDING;
  const width = Math.ceil(context.measureText(text).width) + 2 * PADDING;
  // Above the box, or within it where the image begins.
  const top = y - height >= frame.y ? y - height : y;
  const left = Math.max(frame.x, Math.min(x, frame.x + frame.width - width));
  context.fillStyle = labelColor(box.label);
  context.fillRect(left, top, width, height);
  context.fillStyle = onLabelColor;
  context.fillText(text, left + PADDING, top + height / 2);
}

/** Cuts a text with an ellipsis to a width in pixels; empty when not even one character fits. */
export function fitText(
  context: Pick<CanvasRenderingContext2D, 'measureText'>,
  text: string,
  width: number,
): string {
  const fits = (candidate: string): boolean => context.measureText(candidate).width <= width;
  if (fits(text)) return text;
  const characters = Array.from(text);
  let [low, high] = [0, characters.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (fits(`${characters.slice(0, middle).join('')}…`)) low = middle;
    else high = middle - 1;
  }
  const start = characters.slice(0, low).join('');
  return start !== '' && fits(`${start}…`) ? `${start}…` : '';
}

/** What stands at a box: its label, and how sure the model is that drew it. */
function textOf({ label, confidence }: BoxView): string {
  const text = labelText(label, LABEL_LENGTH);
  return confidence === undefined ? text : `${text} ${Math.round(confidence * 100)} %`;
}
