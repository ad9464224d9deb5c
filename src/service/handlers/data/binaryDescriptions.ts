import { ConnectError } from '@connectrpc/connect';
import type { BinaryData } from '../../../gen/viam/app/data/v1/data_pb';
import { DamagedBlob } from '../../blobs/blobChecks';
import { MISSING_BLOB } from '../../blobs/damageReports';
import { exhausted } from '../../errors';
import { binaryDataMessage } from '../../messages/dataMessages';
import { hasBinaryData } from '../../store/data/binaryData';
import { tagsByItem } from '../../store/data/binaryTags';
import { boxesByItem } from '../../store/data/boundingBoxes';
import type { BinaryDataRow } from '../../store/data/dataSchema';
import { datasetsByItem } from '../../store/data/datasets';
import { BINARY_CONTENT_PATH } from './binaryContentRoute';
import type { DataDependencies } from './dataAccess';

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
export async function describeBinaryData(
  { store, blobs, damageReports, pageUrl }: DataDependencies,
  rows: readonly BinaryDataRow[],
  includeBinary: boolean,
): Promise<DescribedItems> {
  if (includeBinary) {
    requireFit(rows);
  }
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
    if (content instanceof ConnectError) {
      described.damage.push(content);
    }
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
      if (content === undefined && !(await hasBinaryData(store, id))) {
        return DELETED;
      }
      return content ?? damageReports.report({ kind: 'binary data', id, hash }, MISSING_BLOB);
    } catch (error) {
      if (error instanceof DamagedBlob) {
        return damageReports.report({ kind: 'binary data', id, hash }, error);
      }
      throw error;
    }
  }
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
