import type { BoundingBoxRow } from '../../store/data/dataSchema';
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

/** A new box on an image. */
export function boxRow(binaryId: string, box: SentBox): BoundingBoxRow {
  return {
    id: newId(),
    binary_id: binaryId,
    label: box.label,
    x_min: box.xMinNormalized,
    y_min: box.yMinNormalized,
    x_max: box.xMaxNormalized,
    y_max: box.yMaxNormalized,
    confidence: box.confidence ?? null,
  };
}
