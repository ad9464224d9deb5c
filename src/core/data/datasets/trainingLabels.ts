import type { BinaryItem } from '../../model/binaryItem';
import { getUserTags } from '../../model/itemTags';

/** Kind of model to train: one that classifies an image or one that detects objects in it. */
export type TrainingKind = 'detection' | 'classification';

/** In display order. */
export const TRAINING_KINDS: readonly TrainingKind[] = ['detection', 'classification'];

/**
 * Returns the labels of an image for training. Detection learns from boxes, so each box is an
 * example. Classification learns from the labels of the whole image, which are its tags and its
 * classifications, each label once.
 */
export function trainingLabels(item: BinaryItem, kind: TrainingKind): readonly string[] {
  if (kind === 'detection') return item.boxes.map(({ label }) => label);
  const classified = item.classifications.map(({ label }) => label);
  return [...new Set([...getUserTags(item), ...classified])];
}
