import { ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { type BinaryData, type DataService, Order } from '../../../gen/viam/app/data/v1/data_pb';
import { exhausted, notFound } from '../../errors';
import { countBinaryData, deleteBinaryData, hasBinaryData } from '../../store/data/binaryData';
import { type PageEnd, readBinaryDataPage, readPageKeys } from '../../store/data/binaryPages';
import { getCaller } from '../handlerSupport';
import { itemPageTokens, pageLimit } from '../../messages/paging';
import {
  type DataDependencies,
  getBinaryDataIds,
  readableItems,
  readableSelection,
  writableItems,
  writableSelection,
} from './dataAccess';
import type { BinaryDataRow } from '../../store/data/dataSchema';
import { DamagedBlobError } from '../../blobs/blobChecks';
import { MISSING_BLOB } from '../../blobs/damageReports';
import { binaryDataMessage } from '../../messages/dataMessages';
import { boxesByItem, tagsByItem } from '../../store/data/binaryMarks';
import { datasetsByItem } from '../../store/data/datasets';
import { BINARY_CONTENT_PATH } from '../contentRoute';

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
      const after = parseLastToken(last);
      const selection = await readableSelection(
        store,
        getCaller(context),
        filter,
        request.includeInternalData,
      );
      const { count, bytes } = await countBinaryData(store, selection);
      const totals = { count: BigInt(count), totalSizeBytes: BigInt(bytes) };
      if (request.countOnly) return totals;
      const page = await readBinaryDataPage(store, selection, {
        oldestFirst: sortOrder === Order.ASCENDING,
        after,
        limit: pageLimit(limit, { byDefault: DEFAULT_PAGE, max: MAX_PAGE }),
      });
      const fitting = request.includeBinary ? takeFitting(page) : page;
      const { data } = await describeBinaryData(dependencies, fitting, request.includeBinary);
      return { ...totals, data, last: createLastToken(fitting) };
    },

    async binaryDataByIDs(request, context) {
      const rows = await readableItems(store, getCaller(context), getBinaryDataIds(request));
      const described = await describeBinaryData(dependencies, rows, request.includeBinary);
      const { data, damage, deletedIds } = described;
      const [deletedId] = deletedIds;
      if (deletedId !== undefined) throw notFound('binary data', deletedId);
      // Throws only if no content is readable. Otherwise, clients can detect missing content by
      // comparing it with the size in the metadata.
      const [problem] = damage;
      if (problem !== undefined && damage.length === data.length) throw problem;
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

/** Returns the `last` token for a page; empty if the page is empty. */
function createLastToken(page: readonly BinaryDataRow[]): string {
  const last = page.at(-1);
  return itemPageTokens.create(last && { at: last.requested_at, id: last.id });
}

/**
 * Parses a `last` token. Returns the item after which the page starts; undefined for the first
 * page.
 * @throws InvalidArgument if this service didn't issue the token.
 */
function parseLastToken(last: string): PageEnd | undefined {
  const end = itemPageTokens.parse(last, 'last');
  return end && { requestedAt: end.at, id: end.id };
}

const MEBIBYTE = 1024 * 1024;
/** Maximum number of bytes per message that clients of the public service accept. */
const MAX_CONTENT_BYTES = 32 * MEBIBYTE;
const DELETED = 'deleted';

/** Items in the wire format. */
export interface DescribedItems {
  data: BinaryData[];
  /** Errors for items whose contents can't be read; these items have an empty `binary`. */
  damage: ConnectError[];
  /**
   * IDs of items that were deleted while their contents were being read. `data` doesn't include
   * these items.
   */
  deletedIds: string[];
}

/**
 * Returns items in the wire format with all annotations and, if requested, their contents.
 * @throws ResourceExhausted if the contents don't fit in a message.
 */
async function describeBinaryData(
  { store, blobs, damageReports, pageUrl }: DataDependencies,
  rows: readonly BinaryDataRow[],
  includeBinary: boolean,
): Promise<DescribedItems> {
  if (includeBinary) requireFit(rows);
  const ids = rows.map(({ id }) => id);
  const tags = await tagsByItem(store, ids);
  const boxes = await boxesByItem(store, ids);
  const datasets = await datasetsByItem(store, ids);
  const described: DescribedItems = { data: [], damage: [], deletedIds: [] };
  for (const row of rows) {
    const content = includeBinary ? await readContent(row) : undefined;
    if (content === DELETED) {
      described.deletedIds.push(row.id);
      continue;
    }
    if (content instanceof ConnectError) described.damage.push(content);
    described.data.push(
      binaryDataMessage(row, {
        tags: tags.get(row.id) ?? [],
        boxes: boxes.get(row.id) ?? [],
        datasetIds: datasets.get(row.id) ?? [],
        uri: pageUrl(BINARY_CONTENT_PATH + row.id),
        content: content instanceof ConnectError ? undefined : content,
      }),
    );
  }
  return described;

  async function readContent({
    id,
    blob_hash: hash,
    file_size: size,
  }: BinaryDataRow): Promise<Uint8Array | ConnectError | typeof DELETED> {
    try {
      const content = await blobs.read({ hash, size });
      if (content === undefined && !(await hasBinaryData(store, id))) return DELETED;
      return content ?? damageReports.report({ kind: 'binary data', id, hash }, MISSING_BLOB);
    } catch (error) {
      if (error instanceof DamagedBlobError) {
        return damageReports.report({ kind: 'binary data', id, hash }, error);
      }
      throw error;
    }
  }
}

/** Returns the first items whose contents fit in a message, at least one. `last` continues after it. */
function takeFitting(rows: readonly BinaryDataRow[]): readonly BinaryDataRow[] {
  let bytes = 0;
  const end = rows.findIndex(({ file_size }) => (bytes += file_size) > MAX_CONTENT_BYTES);
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

function requireFit(rows: readonly BinaryDataRow[]): void {
  const bytes = rows.reduce((sum, { file_size }) => sum + file_size, 0);
  if (bytes > MAX_CONTENT_BYTES) {
    throw exhausted(
      `the contents of ${String(rows.length)} items have ${String(bytes)} bytes, but a response can have at most ` +
        `${String(MAX_CONTENT_BYTES)}: request fewer items, or read each one with ` +
        'HTTP GET from its metadata.uri',
    );
  }
}
