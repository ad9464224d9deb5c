import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import {
  addTags,
  addTagsToSelection,
  listMarks,
  removeTags,
  removeTagsFromSelection,
} from '../../store/data/binaryMarks';
import { isBlank } from '../../../core/model/displayText';
import { getCaller, requireText } from '../handlerSupport';
import {
  type DataDependencies,
  getBinaryDataIds,
  readableSelection,
  writableItems,
  writableSelection,
} from './dataAccess';
import { invalid } from '../../errors';
import { DATASET_TAG_PREFIX } from '../../store/data/binaryFilter';

type TagOperations = Pick<
  ServiceImpl<typeof DataService>,
  | 'addTagsToBinaryDataByIDs'
  | 'addTagsToBinaryDataByFilter'
  | 'removeTagsFromBinaryDataByIDs'
  | 'removeTagsFromBinaryDataByFilter'
  | 'tagsByFilter'
>;

/**
 * Exclude internal data, as lists do by default. Tagging by filter then affects the same number of
 * items that the user has seen.
 */
const INTERNAL = false;
const TAGS = { table: 'binary_tags', column: 'tag' } as const;

/** Handlers for tags of binary items (spec part 1, tag operations). */
export function tagHandlers({ store }: DataDependencies): TagOperations {
  return {
    async addTagsToBinaryDataByIDs(request, context) {
      requireTags(request.tags);
      const ids = getBinaryDataIds(request);
      await store.transaction().execute(async (transaction) => {
        await writableItems(transaction, getCaller(context), ids);
        await addTags(transaction, ids, request.tags);
      });
      return {};
    },

    async addTagsToBinaryDataByFilter({ filter, tags }, context) {
      requireTags(tags);
      await store.transaction().execute(async (transaction) => {
        const selection = await writableSelection(
          transaction,
          getCaller(context),
          filter,
          INTERNAL,
        );
        await addTagsToSelection(transaction, selection, tags);
      });
      return {};
    },

    async removeTagsFromBinaryDataByIDs(request, context) {
      requireTags(request.tags);
      const ids = getBinaryDataIds(request);
      const deletedCount = await store.transaction().execute(async (transaction) => {
        await writableItems(transaction, getCaller(context), ids);
        return removeTags(transaction, ids, request.tags);
      });
      return { deletedCount: BigInt(deletedCount) };
    },

    async removeTagsFromBinaryDataByFilter({ filter, tags }, context) {
      requireTags(tags);
      const deletedCount = await store.transaction().execute(async (transaction) => {
        const selection = await writableSelection(
          transaction,
          getCaller(context),
          filter,
          INTERNAL,
        );
        return removeTagsFromSelection(transaction, selection, tags);
      });
      return { deletedCount: BigInt(deletedCount) };
    },

    async tagsByFilter({ filter }, context) {
      const selection = await readableSelection(store, getCaller(context), filter);
      return { tags: await listMarks(store, selection, TAGS) };
    },
  };
}

/**
 * Validates tags that callers add to items or remove from them.
 * @throws InvalidArgument if a tag is blank, too long, or a dataset tag, because dataset tags can
 *   change only together with the membership.
 */
export function requireTags(tags: readonly string[]): void {
  for (const tag of tags) {
    if (isBlank(requireText(tag, 'tags'))) throw invalid('tags: must not be empty');
    if (tag.startsWith(DATASET_TAG_PREFIX)) {
      throw invalid(
        `tags: "${tag}" marks members of a dataset; add items to the dataset, or remove them from it, instead`,
      );
    }
  }
}
