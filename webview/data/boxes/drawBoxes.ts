import type { BoxView, Corners } from '../../../src/shared/data/boxes';
import { type Frame, getHandlePosition, handles, toBoxFrame } from './boxGeometry';
import { formatLabel } from './boxLabels';

export interface BoxStyle {
  /** False to omit labels, if the image is too small for them. */
  readonly labels?: boolean;
  /** Size of labels in CSS pixels. */
  readonly fontSize?: number;
  /** IDs of boxes to draw with dashed lines, because they aren't saved as drawn. */
  readonly broken?: ReadonlySet<string>;
}

const LABEL_LENGTH = 32;
const PADDING = 3;
const LINE = 2;
const FONT_SIZE = 12;
/**
 * Minimum number of characters to which a label can be truncated; a shorter label would be
 * meaningless.
 */
const MIN_READABLE_CHARACTERS = 3;
/**
 * Minimum ratio of a box's height to its label's height, so that the label covers at most the upper
 * half of the box.
 */
const MIN_STRIPS_PER_BOX = 2;

/**
 * Draws boxes over an image that is drawn in `frame`. The context must use CSS pixels, that is, its
 * canvas is scaled by the device pixel ratio. A dark outline makes the lines visible on every
 * image. Each label stays within its box; boxes that are too small for a readable label have none.
 * Smaller boxes are drawn on top of larger ones.
 */
export function drawBoxes(
  context: CanvasRenderingContext2D,
  boxes: readonly BoxView[],
  frame: Frame,
  { labels = true, fontSize = FONT_SIZE, broken }: BoxStyle = {},
): void {
  const largestFirst = boxes
    .map((box) => ({ box, place: toBoxFrame(box, frame) }))
    .sort((a, b) => b.place.width * b.place.height - a.place.width * a.place.height);
  context.save();
  setFont(context, fontSize);
  for (const { box, place } of largestFirst) {
    if (labels) drawClippedLabel(context, box, place, fontSize);
    drawOutline(context, box, place, broken?.has(box.id) === true);
  }
  context.restore();
}

/** Draws a box's full label: above the box, or inside it if the box is at the top of the image. */
function drawWholeLabel(context: CanvasRenderingContext2D, box: BoxView, frame: Frame): void {
  const { x, y } = toBoxFrame(box, frame);
  context.save();
  setFont(context, FONT_SIZE);
  const text = formatBoxLabel(box);
  const { width, height } = stripSize(context, text, FONT_SIZE);
  const top = y - height >= frame.y ? y - height : y;
  const left = Math.max(frame.x, Math.min(x, frame.x + frame.width - width));
  drawStrip(context, box, text, { x: left, y: top, width, height });
  context.restore();
}

function setFont(context: CanvasRenderingContext2D, fontSize: number): void {
  context.font = `600 ${fontSize}px sans-serif`;
  context.textBaseline = 'middle';
  // x coordinates start at the left, even on a right-to-left page.
  context.direction = 'ltr';
  context.textAlign = 'left';
}

function drawOutline(
  context: CanvasRenderingContext2D,
  box: BoxView,
  { x, y, width, height }: Frame,
  broken: boolean,
): void {
  context.setLineDash(broken ? [6, 4] : []);
  context.strokeStyle = 'rgb(0 0 0 / 65%)';
  context.lineWidth = LINE + 2;
  context.strokeRect(x, y, width, height);
  context.strokeStyle = labelColor(box.label);
  context.lineWidth = LINE;
  context.strokeRect(x, y, width, height);
}

function drawClippedLabel(
  context: CanvasRenderingContext2D,
  box: BoxView,
  { x, y, width: boxWidth, height: boxHeight }: Frame,
  fontSize: number,
): void {
  const whole = formatBoxLabel(box);
  const text = fitText(context, whole, boxWidth - 2 * PADDING);
  const isReadable = text === whole || Array.from(text).length > MIN_READABLE_CHARACTERS;
  const { width, height } = stripSize(context, text, fontSize);
  if (!isReadable || boxHeight < MIN_STRIPS_PER_BOX * height) return;
  drawStrip(context, box, text, { x, y, width: Math.min(width, boxWidth), height });
}

function stripSize(
  context: CanvasRenderingContext2D,
  text: string,
  fontSize: number,
): { readonly width: number; readonly height: number } {
  const width = Math.ceil(context.measureText(text).width) + 2 * PADDING;
  return { width, height: fontSize + 2 * PADDING };
}

function drawStrip(
  context: CanvasRenderingContext2D,
  box: BoxView,
  text: string,
  { x, y, width, height }: Frame,
): void {
  context.fillStyle = labelColor(box.label);
  context.fillRect(x, y, width, height);
  context.fillStyle = onLabelColor;
  context.fillText(text, x + PADDING, y + height / 2);
}

/**
 * Truncates text to a given width in pixels and adds an ellipsis; returns an empty string if not
 * even one character fits.
 */
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

/** Returns the text shown at a box: its label and, if a model predicted it, the confidence. */
function formatBoxLabel({ label, confidence }: BoxView): string {
  const text = formatLabel(label, LABEL_LENGTH);
  return confidence === undefined ? text : `${text} ${Math.round(confidence * 100)} %`;
}

interface Active {
  readonly selected: BoxView | undefined;
  /** The box under the pointer. */
  readonly hovered: BoxView | undefined;
  readonly draft: Corners | undefined;
  readonly canEdit: boolean;
  readonly areLabelsShown: boolean;
}

const HANDLE = 8;

/**
 * Draws the selected box with its handles, and the box that is being drawn. The labels of the
 * selected box and the box under the pointer are drawn in full, on top of all other boxes.
 */
export function drawActive(
  context: CanvasRenderingContext2D,
  { selected, hovered, draft, canEdit, areLabelsShown }: Active,
  frame: Frame,
): void {
  context.save();
  if (selected) {
    drawRim(context, toBoxFrame(selected, frame), { white: 6, dash: [] });
    drawBoxes(context, [selected], frame, { labels: false });
    if (areLabelsShown) drawWholeLabel(context, selected, frame);
    if (canEdit) drawHandles(context, toBoxFrame(selected, frame));
  }
  const isOther = hovered && hovered.id !== selected?.id;
  if (isOther && areLabelsShown && !draft) drawWholeLabel(context, hovered, frame);
  if (draft) {
    const boxFrame = toBoxFrame(draft, frame);
    drawRim(context, boxFrame, { white: 2, dash: [6, 4] });
    drawHandles(context, boxFrame);
  }
  context.restore();
}

/** Draws a black rim around a white line, which is visible on every image. */
function drawRim(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Frame,
  { white, dash }: { readonly white: number; readonly dash: readonly number[] },
): void {
  context.setLineDash([]);
  context.strokeStyle = '#000000';
  context.lineWidth = white + 2;
  context.strokeRect(x, y, width, height);
  context.setLineDash([...dash]);
  context.strokeStyle = '#ffffff';
  context.lineWidth = white;
  context.strokeRect(x, y, width, height);
  context.setLineDash([]);
}

function drawHandles(context: CanvasRenderingContext2D, boxFrame: Frame): void {
  context.lineWidth = 1;
  context.strokeStyle = '#000000';
  context.fillStyle = '#ffffff';
  for (const handle of handles) {
    const { x, y } = getHandlePosition(handle, boxFrame);
    context.fillRect(x - HANDLE / 2, y - HANDLE / 2, HANDLE, HANDLE);
    context.strokeRect(x - HANDLE / 2, y - HANDLE / 2, HANDLE, HANDLE);
  }
}

/** Text color on all label colors. */
const onLabelColor = '#000000';

/**
 * Maximum number of characters that determine the color. The start of a label is distinctive
 * enough.
 */
const MAX_LABEL_LENGTH = 64;

/** Constants of the 32-bit FNV-1a hash. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

const HUES = 360;
/**
 * Lightness values that are light enough for black text. There are two, because users can
 * distinguish only a few hues.
 */
const lightnesses = ['0.76', '0.9'] as const;

/** Returns a label's color, which is the same in all images, panels, and sessions. */
export function labelColor(label: string): string {
  let hash = BASIS;
  const end = Math.min(label.length, MAX_LABEL_LENGTH);
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ label.charCodeAt(at), PRIME);
  const number = hash >>> 0;
  const lightness = lightnesses[(number >>> 16) % lightnesses.length] ?? lightnesses[0];
  return `oklch(${lightness} 0.15 ${number % HUES})`;
}
