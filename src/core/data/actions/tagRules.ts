import { isDatasetTag } from '../../model/itemTags';

/** Maximum length of a tag that the service accepts. */
const LONGEST = 1_000;

export type TagProblem = 'empty' | 'tooLong' | 'unusable' | 'ofDataset';

/**
 * Returns the reason why a text is not a valid tag; undefined if it is valid. @param tag without
 * surrounding whitespace.
 */
export function tagProblem(tag: string): TagProblem | undefined {
  if (tag.trim() === '') return 'empty';
  if (tag.length > LONGEST) return 'tooLong';
  if (tag.includes('\0')) return 'unusable';
  return isDatasetTag(tag) ? 'ofDataset' : undefined;
}
