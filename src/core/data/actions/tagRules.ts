/** What the tags of datasets begin with (spec part 1): the service keeps them along with the membership. */
const DATASET_TAG_PREFIX = 'SVC_DATASET_';
/** What the service takes. */
const LONGEST = 1_000;

export type TagProblem = 'empty' | 'tooLong' | 'unusable' | 'ofDataset';

/** Why a text can be no tag; nothing when it can. @param tag without blanks around it. */
export function tagProblem(tag: string): TagProblem | undefined {
  if (tag.trim() === '') return 'empty';
  if (tag.length > LONGEST) return 'tooLong';
  if (tag.includes('\0')) return 'unusable';
  return isDatasetTag(tag) ? 'ofDataset' : undefined;
}

/** Whether a tag says that an item is in a dataset. People put those on by adding it there. */
export function isDatasetTag(tag: string): boolean {
  return tag.startsWith(DATASET_TAG_PREFIX);
}
