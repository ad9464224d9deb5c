import type { BoxEdits, ShownBox } from '../../../../core/data/boxes/boxEdits';
import type { BoxProblem } from '../../../../core/data/boxes/trackedBox';
import type { BoundingBox } from '../../../../core/model/binaryItem';
import type { BoxView, EditedBox, EditedImage } from '../../../../shared/data/boxes';

/**
 * Converts a box for the webview. Numbers that aren't finite become 0, because JSON can't represent
 * them.
 */
export function boxView({ id, label, confidence, ...corners }: BoundingBox): BoxView {
  const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
  return {
    ...{ id, label },
    ...{ xMin: finite(corners.xMin), yMin: finite(corners.yMin) },
    ...{ xMax: finite(corners.xMax), yMax: finite(corners.yMax) },
    ...(confidence !== undefined && { confidence: finite(confidence) }),
  };
}

/**
 * Converts an annotated image for the webview.
 * @param formatProblem returns the reason why a box is not saved
 */
export function editedImage(
  image: string,
  sequence: number,
  edits: BoxEdits,
  formatProblem: (problem: BoxProblem) => string,
): EditedImage {
  const { isSaving: saving, canUndo, canRedo } = edits;
  const boxes = edits.shown().map((box) => editedBox(box, formatProblem));
  return { image, sequence, boxes, saving, canUndo, canRedo };
}

function editedBox(
  { key, content, deleted, state, problem, leftovers }: ShownBox,
  formatProblem: (problem: BoxProblem) => string,
): EditedBox {
  return {
    ...boxView({ id: key, ...content }),
    ...{ deleted, state },
    problem: problem && formatProblem(problem),
    leftovers: leftovers.map((one) => boxView({ id: one.id, ...one.content })),
  };
}
