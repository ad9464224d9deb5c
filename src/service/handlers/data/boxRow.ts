import { invalid } from '../../errors';
import type { NewBox } from '../../store/data/boundingBoxes';
import { newId } from '../../store/identifiers';

/** Box as sent in requests. */
interface SentBox {
  label: string;
  xMinNormalized: number;
  yMinNormalized: number;
  xMaxNormalized: number;
  yMaxNormalized: number;
  confidence?: number | undefined;
}

/**
 * Returns a new box.
 * @throws InvalidArgument if a coordinate or the confidence is not between 0 and 1, or if an edge
 *   is beyond the opposite edge.
 */
export function boxRow(box: SentBox): NewBox {
  requireConfidence(box.confidence);
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

/**
 * Validates a model's confidence. It is absent if a user annotated the image.
 * @throws InvalidArgument if it is not between 0 and 1. Also rejects NaN, because one of the stores
 *   saves NaN as absent.
 */
export function requireConfidence(confidence: number | undefined): void {
  if (confidence !== undefined && !isShare(confidence)) {
    throw invalid('confidence: must be from 0 to 1, or omitted');
  }
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

function requireSpan(min: number, max: number, axis: 'x' | 'y'): void {
  const [low, high] = [`${axis}_min_normalized`, `${axis}_max_normalized`];
  if (![min, max].every(isShare)) {
    throw invalid(`${low} and ${high}: coordinates of a box must be from 0 to 1`);
  }
  if (min > max) {
    throw invalid(`${low}: must not be greater than ${high}`);
  }
}
