import type { BinaryData } from '../../../gen/viam/app/data/v1/data_pb';
import { exhausted, notFound } from '../../errors';
import { binaryDataMessage } from '../../messages/dataMessages';
import { tagsByItem } from '../../store/data/binaryTags';
import { boxesByItem } from '../../store/data/boundingBoxes';
import type { BinaryDataRow } from '../../store/data/dataSchema';
import { datasetsByItem } from '../../store/data/datasets';
import { BINARY_CONTENT_PATH } from './binaryContentRoute';
import type { DataDependencies } from './dataAccess';

const MEBIBYTE = 1024 * 1024;
/** What clients of the public service take in one message. */
const MAX_CONTENT_BYTES = 32 * MEBIBYTE;

/**
 * The wire form of items with all that is marked on them, and with their contents if asked for.
 * @throws ResourceExhausted when the contents do not fit a message.
 */
export async function describeBinaryData(
  { store, blobs, pageUrl }: DataDependencies,
  rows: readonly BinaryDataRow[],
  includeBinary: boolean,
): Promise<BinaryData[]> {
  if (includeBinary) {
    requireFit(rows);
  }
  const ids = rows.map(({ id }) => id);
  const tags = await tagsByItem(store, ids);
  const boxes = await boxesByItem(store, ids);
  const datasets = await datasetsByItem(store, ids);
  const described: BinaryData[] = [];
  for (const row of rows) {
    described.push(
      binaryDataMessage(row, {
        tags: tags.get(row.id) ?? [],
        boxes: boxes.get(row.id) ?? [],
        datasetIds: datasets.get(row.id) ?? [],
        uri: pageUrl(BINARY_CONTENT_PATH + row.id),
        content: includeBinary ? await contentOf(row) : undefined,
      }),
    );
  }
  return described;

  async function contentOf({ id, blob_hash }: BinaryDataRow): Promise<Uint8Array> {
    const content = await blobs.read(blob_hash);
    if (content === undefined) {
      throw notFound('binary data', id);
    }
    return content;
  }
}

function requireFit(rows: readonly BinaryDataRow[]): void {
  const bytes = rows.reduce((sum, { file_size }) => sum + file_size, 0);
  if (bytes > MAX_CONTENT_BYTES) {
    throw exhausted(
      `the contents of ${String(rows.length)} items have ${String(bytes)} bytes, more than the ` +
        `${String(MAX_CONTENT_BYTES)} that fit into an answer: ask for fewer, or read each with ` +
        'HTTP GET from its metadata.uri',
    );
  }
}
