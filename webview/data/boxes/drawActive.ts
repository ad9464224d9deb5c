import type { BoxView, Corners } from '../../../src/shared/data/boxes';
import { type Frame, toBoxFrame } from './boxGeometry';
import { getHandlePosition, handles } from './boxHits';
import { drawBoxes, drawWholeLabel } from './drawBoxes';

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
 * selected box and of the box under the pointer are drawn in full, on top of all other boxes.
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
