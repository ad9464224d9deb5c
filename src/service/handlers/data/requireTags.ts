import { invalid } from '../../errors';
import { DATASET_TAG_PREFIX } from '../../store/data/datasetTag';
import { requireText } from '../handlerSupport';

/**
 * Validates tags that callers add to items or remove from them.
 * @throws InvalidArgument if a tag is blank, too long, or the tag of a dataset, which can change
 *   only together with the membership.
 */
export function requireTags(tags: readonly string[]): void {
  for (const tag of tags) {
    if (requireText(tag, 'tags').trim() === '') {
      throw invalid('tags: must not be empty');
    }
    if (tag.startsWith(DATASET_TAG_PREFIX)) {
      throw invalid(
        `tags: "${tag}" marks members of a dataset; add items to the dataset, or remove them from it, instead`,
      );
    }
  }
}
