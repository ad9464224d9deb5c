import type { Localizer } from '../../../base/localizer';
import { FleetError } from '../../api/errors';
import type { BoundingBox, BoxCorners } from '../../model/binaryItem';

/** Content of a box without its ID, because each change assigns a new ID. */
export type BoxContent = Omit<BoundingBox, 'id'>;

const sides = ['xMin', 'yMin', 'xMax', 'yMax'] as const;

/**
 * Tolerance for coordinates, because services that store them in single precision return slightly
 * different values.
 */
const PRECISION = 1e-6;

export function toBoxContent({
  label,
  xMin,
  yMin,
  xMax,
  yMax,
  confidence,
}: BoundingBox): BoxContent {
  return { label, xMin, yMin, xMax, yMax, confidence };
}

/** Returns true if two boxes have the same position and label, within the precision of services. */
export function isSameContent(one: BoxContent, other: BoxContent): boolean {
  return (
    one.label === other.label &&
    one.confidence === other.confidence &&
    sides.every((side) => Math.abs(one[side] - other[side]) <= PRECISION)
  );
}

/**
 * Returns a valid box: within the image, not empty, with a label.
 * @throws FleetError `invalid`
 */
export function requireContent(content: BoxContent, l10n: Localizer): BoxContent {
  const label = content.label.trim();
  if (label === '') throw new FleetError('invalid', l10n.t('A box needs a label.'));
  if (!isWithin(content)) {
    throw new FleetError(
      'invalid',
      l10n.t('A box must be inside its image and must not be empty.'),
    );
  }
  return { ...content, label };
}

function isWithin(corners: BoxCorners): boolean {
  const { xMin, yMin, xMax, yMax } = corners;
  return (
    sides.every((side) => corners[side] >= 0 && corners[side] <= 1) && xMin < xMax && yMin < yMax
  );
}
