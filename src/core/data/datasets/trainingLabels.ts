import type { BinaryItem } from '../../model/binaryItem';
import { tagsOfPeople } from '../../model/itemTags';

/** What a model is trained for: to say what an image is, or where in it things are. */
export type TrainingKind = 'detection' | 'classification';

/** In the order in which people are told. */
export const TRAINING_KINDS: readonly TrainingKind[] = ['detection', 'classification'];

/**
 * The labels that training finds on an image. Detection learns from boxes, so each box is an example;
 * classification from what is said of the whole image, which are its tags and its classifications, each
 * label once.
 */
export function trainingLabels(item: BinaryItem, kind: TrainingKind): readonly string[] {
  if (kind === 'detection') return item.boxes.map(({ label }) => label);
  const classified = item.classifications.map(({ label }) => label);
  return [...new Set([...tagsOfPeople(item), ...classified])];
}
