import type { BinaryItem } from './binaryItem';

/** Prefix of the tags that mark members of a dataset (spec part 1). */
const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/**
 * Returns true if a tag marks an item as a member of a dataset. Users add such a tag by adding the
 * item to the dataset.
 */
export function isDatasetTag(tag: string): boolean {
  return tag.startsWith(DATASET_TAG_PREFIX);
}

/**
 * Returns the tags of an item, except tags that mark it as a member of a dataset. These tags don't
 * describe the item's content.
 */
export function getUserTags({ tags }: Pick<BinaryItem, 'tags'>): readonly string[] {
  return tags.filter((tag) => !isDatasetTag(tag));
}
