import type { BoxEdits, ShownBox } from '../../../../core/data/boxes/boxEdits';
import type { BoxProblem } from '../../../../core/data/boxes/trackedBox';
import type { BoundingBox } from '../../../../core/model/binaryItem';
import type { BoxView, EditedBox, EditedImage } from '../../../../shared/data/boxes';

/** A box as the webview draws it. What is no number travels as one: JSON has no other word for it. */
export function boxView({ id, label, confidence, ...corners }: BoundingBox): BoxView {
  const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
  return {
    ...{ id, label },
    ...{ xMin: finite(corners.xMin), yMin: finite(corners.yMin) },
    ...{ xMax: finite(corners.xMax), yMax: finite(corners.yMax) },
    ...(confidence !== undefined && { confidence: finite(confidence) }),
  };
}

/** An image that is annotated, as the webview draws it. @param wordsOf says why a box is not stored */
export function editedImage(
  image: string,
  sequence: number,
  edits: BoxEdits,
  wordsOf: (problem: BoxProblem) => string,
): EditedImage {
  const { isSaving: saving, canUndo, canRedo } = edits;
  const boxes = edits.shown().map((box) => editedBox(box, wordsOf));
  return { image, sequence, boxes, saving, canUndo, canRedo };
}

function editedBox(
  { key, content, deleted, state, problem, leftovers }: ShownBox,
  wordsOf: (problem: BoxProblem) => string,
): EditedBox {
  return {
    ...boxView({ id: key, ...content }),
    ...{ deleted, state },
    problem: problem && wordsOf(problem),
    leftovers: leftovers.map((one) => boxView({ id: one.id, ...one.content })),
  };
}
