import type { ServiceImpl } from '@connectrpc/connect';
import { type DataService, Order } from '../../../gen/viam/app/data/v1/data_pb';
import { notFound } from '../../errors';
import { countBinaryData } from '../../store/data/binaryCounts';
import { deleteBinaryData } from '../../store/data/binaryData';
import { readPageKeys, readBinaryDataPage, type PageEnd } from '../../store/data/binaryPages';
import { getCaller } from '../handlerSupport';
import { pageLimit } from '../momentPages';
import { describeBinaryData } from './binaryDescriptions';
import {
  type DataDependencies,
  getBinaryDataIds,
  readableItems,
  readableSelection,
  writableItems,
  writableSelection,
} from './dataAccess';
import { createPageToken, parsePageToken } from './pageToken';

type BinaryDataOperations = Pick<
  ServiceImpl<typeof DataService>,
  'binaryDataByFilter' | 'binaryDataByIDs' | 'deleteBinaryDataByFilter' | 'deleteBinaryDataByIDs'
>;

const DEFAULT_PAGE = 50;
/** Maximum number of items without contents per message. */
const MAX_PAGE = 10_000;
/**
 * Number of items to delete per transaction. It is limited so that other work can run between
 * transactions.
 */
const DELETED_AT_ONCE = 1000;

/**
 * Handlers for finding, reading, and deleting binary items (spec part 1, retrieval and deletion
 * operations).
 */
export function binaryDataHandlers(dependencies: DataDependencies): BinaryDataOperations {
  const { store, collector } = dependencies;
  return {
    async binaryDataByFilter(request, context) {
      const { filter, limit = 0n, last = '', sortOrder } = request.dataRequest ?? {};
      const after = parsePageToken(last);
      const selection = await readableSelection(
        store,
        getCaller(context),
        filter,
        request.includeInternalData,
      );
      const { count, bytes } = await countBinaryData(store, selection);
      const totals = { count: BigInt(count), totalSizeBytes: BigInt(bytes) };
      if (request.countOnly) {
        return totals;
      }
      const page = await readBinaryDataPage(store, selection, {
        oldestFirst: sortOrder === Order.ASCENDING,
        after,
        limit: pageLimit(limit, { byDefault: DEFAULT_PAGE, most: MAX_PAGE }),
      });
      const { data } = await describeBinaryData(dependencies, page, request.includeBinary);
      return { ...totals, data, last: createPageToken(page) };
    },

    async binaryDataByIDs(request, context) {
      const rows = await readableItems(store, getCaller(context), getBinaryDataIds(request));
      const described = await describeBinaryData(dependencies, rows, request.includeBinary);
      const { data, damage, deletedIds } = described;
      const [deletedId] = deletedIds;
      if (deletedId !== undefined) {
        throw notFound('binary data', deletedId);
      }
      // Throws only if no content is readable. Otherwise, clients can detect missing content by
      // comparing it with the size in its metadata.
      const [problem] = damage;
      if (problem !== undefined && damage.length === data.length) {
        throw problem;
      }
      return { data, count: BigInt(data.length) };
    },

    async deleteBinaryDataByFilter(request, context) {
      const selection = {
        ...(await writableSelection(
          store,
          getCaller(context),
          request.filter,
          request.includeInternalData,
        )),
        storedBefore: dependencies.now(),
      };
      let deletedCount = 0n;
      let after: PageEnd | undefined;
      do {
        context.signal.throwIfAborted();
        const page = { oldestFirst: true, after, limit: DELETED_AT_ONCE };
        const keys = await readPageKeys(store, selection, page);
        const ids = keys.map(({ id }) => id);
        const hashes = await store
          .transaction()
          .execute((transaction) => deleteBinaryData(transaction, ids));
        await collector.collect(hashes);
        deletedCount += BigInt(hashes.length);
        after = keys.length < DELETED_AT_ONCE ? undefined : keys.at(-1);
      } while (after !== undefined);
      return { deletedCount };
    },

    async deleteBinaryDataByIDs(request, context) {
      const ids = getBinaryDataIds(request);
      const hashes = await store.transaction().execute(async (transaction) => {
        await writableItems(transaction, getCaller(context), ids);
        return deleteBinaryData(transaction, ids);
      });
      await collector.collect(hashes);
      return { deletedCount: BigInt(hashes.length) };
    },
  };
}
