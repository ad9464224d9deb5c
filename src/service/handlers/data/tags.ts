import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { listMarks } from '../../store/data/binaryMarks';
import {
  addTags,
  addTagsToSelection,
  removeTags,
  removeTagsFromSelection,
} from '../../store/data/binaryTags';
import { getCaller } from '../handlerSupport';
import {
  type DataDependencies,
  getBinaryDataIds,
  readableSelection,
  writableItems,
  writableSelection,
} from './dataAccess';
import { requireTags } from './requireTags';

type TagOperations = Pick<
  ServiceImpl<typeof DataService>,
  | 'addTagsToBinaryDataByIDs'
  | 'addTagsToBinaryDataByFilter'
  | 'removeTagsFromBinaryDataByIDs'
  | 'removeTagsFromBinaryDataByFilter'
  | 'tagsByFilter'
>;

/**
 * Internal data is excluded, as it is from lists by default. Tagging by filter then affects the
 * number of items that the user has seen.
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
