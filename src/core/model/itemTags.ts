import type { BinaryItem } from './binaryItem';

/** Prefix of the tags with which the service marks members of a dataset (spec part 1). */
const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/**
 * Returns true if a tag marks an item as a member of a dataset. To add such a tag, users add the
 * item to the dataset.
 */
export function isDatasetTag(tag: string): boolean {
  return tag.startsWith(DATASET_TAG_PREFIX);
}

/**
 * Returns the tags of an item without those that mark it as a member of a dataset, because they
 * don't describe its content.
 */
export function getUserTags({ tags }: Pick<BinaryItem, 'tags'>): readonly string[] {
  return tags.filter((tag) => !isDatasetTag(tag));
}
