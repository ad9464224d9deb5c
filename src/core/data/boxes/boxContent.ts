import { FleetError } from '../../api/errors';
import type { BoundingBox, BoxCorners } from '../../model/binaryItem';

/** What makes a box the box it is, apart from its id, which changes with every change. */
export type BoxContent = Omit<BoundingBox, 'id'>;

const sides = ['xMin', 'yMin', 'xMax', 'yMax'] as const;

/** Services that keep coordinates in single precision answer something else than was sent. */
const PRECISION = 1e-6;

export function contentOf({ label, xMin, yMin, xMax, yMax, confidence }: BoundingBox): BoxContent {
  return { label, xMin, yMin, xMax, yMax, confidence };
}

/** Whether a box is drawn and called the same, as exactly as services keep it. */
export function isSameContent(one: BoxContent, other: BoxContent): boolean {
  return (
    one.label === other.label &&
    one.confidence === other.confidence &&
    sides.every((side) => Math.abs(one[side] - other[side]) <= PRECISION)
  );
}

/**
 * A box that a service takes: within the image, of some size, with a label.
 * @throws FleetError `invalid`
 */
export function requireContent(content: BoxContent): BoxContent {
  const label = content.label.trim();
  if (label === '') throw new FleetError('invalid', 'A box needs a label.');
  if (!isWithin(content)) {
    throw new FleetError('invalid', 'A box must be inside its image and must not be empty.');
  }
  return { ...content, label };
}

function isWithin(corners: BoxCorners): boolean {
  const { xMin, yMin, xMax, yMax } = corners;
  return (
    sides.every((side) => corners[side] >= 0 && corners[side] <= 1) && xMin < xMax && yMin < yMax
  );
}
