import type { BinaryItem } from './binaryItem';

/** What the tags of datasets begin with (spec part 1): the service keeps them along with the membership. */
const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/** Whether a tag says that an item is in a dataset. People put those on by adding it there. */
export function isDatasetTag(tag: string): boolean {
  return tag.startsWith(DATASET_TAG_PREFIX);
}

/** The tags of an item without those of its datasets, which say nothing of what is to be seen. */
export function tagsOfPeople({ tags }: Pick<BinaryItem, 'tags'>): readonly string[] {
  return tags.filter((tag) => !isDatasetTag(tag));
}
