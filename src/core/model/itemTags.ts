import type { BinaryItem } from './binaryItem';

/** Prefix of dataset tags (spec part 1), which the service maintains with the membership. */
const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/**
 * Returns true if a tag marks an item as part of a dataset. Users add it by adding the item to the
 * dataset.
 */
export function isDatasetTag(tag: string): boolean {
  return tag.startsWith(DATASET_TAG_PREFIX);
}

/** Returns the tags of an item without those of its datasets, which don't describe its content. */
export function getUserTags({ tags }: Pick<BinaryItem, 'tags'>): readonly string[] {
  return tags.filter((tag) => !isDatasetTag(tag));
}
