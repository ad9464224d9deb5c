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
 * @throws InvalidArgument when a coordinate or the confidence is not from 0 to 1, or an edge is beyond its
 *   opposite.
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
 * Checks how sure a model says it is; absent where a person marked the image.
 * @throws InvalidArgument when it is not from 0 to 1, of which NaN is kept by one store as absent.
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
