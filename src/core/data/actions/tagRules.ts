import { isDatasetTag } from '../../model/itemTags';

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
