import { FleetError } from '../../api/errors';
import type { BinaryItem, BoundingBox, BoxCorners } from '../../model/binaryItem';
import { computeIou } from '../../model/boxOverlap';
import type { BinaryDataId } from '../../model/ids';
import type { TrialModel } from '../../model/modelTrial';
import type { BinaryDataStore } from '../../stores/binaryDataStore';

/** Label for an image: a tag, or a bounding box that labels a part of the image. */
export interface NewLabel {
  readonly label: string;
  readonly confidence: number;
  readonly box?: BoxCorners | undefined;
}

/**
 * Outcome of storing labels for an image. `labeled` means that the image was not changed, because
 * it can have only one of the model's labels and already has a different one.
 */
export type StoreOutcome = 'stored' | 'unchanged' | 'labeled' | 'deleted';

/** Minimum overlap at which boxes with the same label are considered to mark the same object. */
const SAME_OVERLAP = 0.8;

/** Returns true if an image has none of a model's labels. */
export function isUnlabeled(
  { tags, boxes }: Pick<BinaryItem, 'tags' | 'boxes'>,
  { task, labels }: Pick<TrialModel, 'task' | 'labels'>,
): boolean {
  const present = task === 'objectDetection' ? boxes.map(({ label }) => label) : tags;
  return !present.some((label) => labels.includes(label));
}

/**
 * Stores the labels from a model that an image doesn't have yet. Reads the current state from the
 * service first, because another user might have added labels, or an earlier attempt might have
 * stored only some of the labels.
 */
export async function storeLabels(
  store: Pick<BinaryDataStore, 'get' | 'addTags' | 'addBox'>,
  id: BinaryDataId,
  labels: readonly NewLabel[],
  model: Pick<TrialModel, 'task' | 'labels'>,
): Promise<StoreOutcome> {
  const item = await find(store, id);
  if (!item) return 'deleted';
  const tags = labels.filter(({ box, label }) => !box && !item.tags.includes(label));
  const isExclusive = model.task === 'singleLabelClassification';
  if (isExclusive && tags.length > 0 && !isUnlabeled(item, model)) return 'labeled';
  const boxes = labels.flatMap(({ box, label, confidence }) =>
    box ? [{ ...box, label, confidence }] : [],
  );
  const missing = boxes.filter((box) => !item.boxes.some((stored) => isSame(stored, box)));
  if (tags.length > 0) {
    const names = tags.map(({ label }) => label);
    await store.addTags([id], [...new Set(names)]);
  }
  for (const box of missing) await store.addBox(id, box);
  return tags.length + missing.length > 0 ? 'stored' : 'unchanged';
}

async function find(
  store: Pick<BinaryDataStore, 'get'>,
  id: BinaryDataId,
): Promise<BinaryItem | undefined> {
  try {
    const [item] = await store.get([id]);
    return item;
  } catch (error) {
    if (error instanceof FleetError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

function isSame(one: Omit<BoundingBox, 'id'>, other: Omit<BoundingBox, 'id'>): boolean {
  return one.label === other.label && computeIou(one, other) >= SAME_OVERLAP;
}
