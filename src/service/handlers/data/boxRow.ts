import { invalid } from '../../errors';
import type { NewBox } from '../../store/data/boundingBoxes';
import { newId } from '../../store/identifiers';

/** A box as requests give it. */
interface SentBox {
  label: string;
  xMinNormalized: number;
  yMinNormalized: number;
  xMaxNormalized: number;
  yMaxNormalized: number;
  confidence?: number | undefined;
}

/**
 * A new box.
 * @throws InvalidArgument when a coordinate is not from 0 to 1, or an edge is beyond its opposite.
 */
export function boxRow(box: SentBox): NewBox {
  requireSpan(box.xMinNormalized, box.xMaxNormalized, 'x');
  requireSpan(box.yMinNormalized, box.yMaxNormalized, 'y');
  return {
    id: newId(),
    label: box.label,
    x_min: box.xMinNormalized,
    y_min: box.yMinNormalized,
    x_max: box.xMaxNormalized,
    y_max: box.yMaxNormalized,
    confidence: box.confidence ?? null,
  };
}

function requireSpan(min: number, max: number, axis: 'x' | 'y'): void {
  const [low, high] = [`${axis}_min_normalized`, `${axis}_max_normalized`];
  if (![min, max].every((coordinate) => coordinate >= 0 && coordinate <= 1)) {
    throw invalid(`${low} and ${high}: coordinates of a box must be from 0 to 1`);
  }
  if (min > max) {
    throw invalid(`${low}: must not be greater than ${high}`);
  }
}
