import type { BinaryItem } from '../../model/binaryItem';
import { getUserTags } from '../../model/itemTags';

/** Kind of model to train: classification of an image or detection of objects in it. */
export type TrainingKind = 'detection' | 'classification';

/** Kinds of training, in display order. */
export const TRAINING_KINDS: readonly TrainingKind[] = ['detection', 'classification'];

/**
 * Returns the labels of an image for training. For detection, each box is an example. For
 * classification, the examples are the labels of the whole image: its tags and classifications,
 * each label once.
 */
export function trainingLabels(item: BinaryItem, kind: TrainingKind): readonly string[] {
  if (kind === 'detection') return item.boxes.map(({ label }) => label);
  const classified = item.classifications.map(({ label }) => label);
  return [...new Set([...getUserTags(item), ...classified])];
}
