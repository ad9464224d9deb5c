import { binaryItemFromWire } from '../../core/model/binaryItem';
import { exportLine } from '../../core/model/exportLine';
import { getPlacement } from '../../core/model/placement';
import { binaryDataMessage } from '../messages/dataMessages';
import { findBinaryData } from '../store/data/binaryData';
import type { BinarySelection } from '../store/data/binaryFilter';
import { type PageEnd, readBinaryDataPage } from '../store/data/binaryPages';
import { tagsByItem } from '../store/data/binaryTags';
import { boxesByItem } from '../store/data/boundingBoxes';
import type { BinaryDataRow } from '../store/data/dataSchema';
import type { Store } from '../store/store';
import type { TrainingJobRow } from '../store/training/trainingSchema';

/** Folder next to the dataset file. It has the same name as in exports from the public service. */
export const CONTENT_FOLDER = 'data';
const PAGE_ITEMS = 500;
/**
 * Number of items per batch. It is small because the other copies in the batch are wasted if the
 * disk is full.
 */
const CHOSEN_ITEMS = 50;

type Job = Pick<TrainingJobRow, 'organization_id' | 'dataset_id'>;

/** Images in a page of a dataset's items. */
export interface ImagePage {
  readonly images: readonly BinaryDataRow[];
  /** Number of items that aren't images. */
  readonly others: number;
}

/** Yields the images of a job's dataset in the order of capture. */
export async function* readDatasetImages(
  store: Store,
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<ImagePage> {
  let after: PageEnd | undefined;
  do {
    signal.throwIfAborted();
    const page = { oldestFirst: true, after, limit: PAGE_ITEMS };
    const rows = await readBinaryDataPage(store, toSelection(job), page);
    const images = rows.filter(({ mime_type }) => getPlacement(mime_type) === 'images');
    yield { images, others: rows.length - images.length };
    // A page can be short if items were deleted while it was being read.
    const last = rows.at(-1);
    after = last && { requestedAt: last.requested_at, id: last.id };
  } while (after !== undefined);
}

/**
 * Yields the images with the given IDs in batches, in order, and the number of images that were
 * deleted in the meantime.
 */
export async function* imagesById(
  store: Store,
  job: Job,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<{ images: readonly BinaryDataRow[]; gone: number }> {
  for (let at = 0; at < ids.length; at += CHOSEN_ITEMS) {
    signal.throwIfAborted();
    const batch = ids.slice(at, at + CHOSEN_ITEMS);
    const rows = await findBinaryData(store, batch, toSelection(job).scopes);
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield { images: batch.flatMap((id) => byId.get(id) ?? []), gone: batch.length - rows.length };
  }
}

function toSelection(job: Job): BinarySelection {
  return {
    scopes: [{ organizationIds: [job.organization_id], locationIds: [], machines: [] }],
    filter: { columns: [], boxLabels: [], datasetId: job.dataset_id },
    includeInternal: true,
  };
}

/** Image with its line of the dataset file, including the line break. */
export interface ImageLine {
  readonly id: string;
  readonly line: string;
}

/** Returns the given images with their lines in the dataset file, in order. */
export async function readImageLines(
  store: Store,
  images: readonly BinaryDataRow[],
): Promise<readonly ImageLine[]> {
  const ids = images.map(({ id }) => id);
  const tags = await tagsByItem(store, ids);
  const boxes = await boxesByItem(store, ids);
  return images.flatMap((row) => {
    const { metadata } = binaryDataMessage(row, {
      tags: tags.get(row.id) ?? [],
      boxes: boxes.get(row.id) ?? [],
      ...{ datasetIds: [], uri: '', content: undefined },
    });
    if (!metadata) return [];
    const line = `${exportLine(binaryItemFromWire(metadata), contentPath(row))}\n`;
    return [{ id: row.id, line }];
  });
}

/**
 * Returns the path for an image's content, with forward slashes. The file name is generated,
 * because the names that uploaders provide aren't safe.
 */
export function contentPath({ id, mime_type }: BinaryDataRow): string {
  return `${CONTENT_FOLDER}/${id}${mime_type === 'image/png' ? '.png' : '.jpg'}`;
}
