import { createWriteStream } from 'node:fs';
import { mkdir, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachBounded } from '../../base/bounded';
import { binaryItemFromWire } from '../../core/model/binaryItem';
import { exportLine } from '../../core/model/exportLine';
import { placementOfType } from '../../core/model/placement';
import type { BlobStore } from '../blobs/blobStore';
import { binaryDataMessage } from '../messages/dataMessages';
import type { BinarySelection } from '../store/data/binaryFilter';
import { type PageEnd, pageOfBinaryData } from '../store/data/binaryPages';
import { tagsByItem } from '../store/data/binaryTags';
import { boxesByItem } from '../store/data/boundingBoxes';
import type { BinaryDataRow } from '../store/data/dataSchema';
import { findDatasets } from '../store/data/datasets';
import type { Store } from '../store/store';
import type { TrainingJobRow } from '../store/training/trainingSchema';
import { TrainingFailure, type TrainingOptions } from './trainingRunner';

/** Beside the file, as the export of the public service has it. */
const CONTENT_FOLDER = 'data';
const PAGE_ITEMS = 500;
const COPIED_AT_ONCE = 4;
const MEBIBYTE = 1024 * 1024;
/** Room that images leave on the disk: the service writes there too, and so does the training. */
const ROOM_BYTES = 256 * MEBIBYTE;

interface DatasetStores {
  readonly store: Store;
  readonly blobs: BlobStore;
}

/** How many items of a dataset became what. */
interface Written {
  images: number;
  /** Those whose content is not here: deleted meanwhile, or kept by a service that shares the database. */
  gone: number;
  others: number;
}

/**
 * Writes the images of a job's dataset beside each other, with a file that has a line for each as in the
 * public service's export. Memory does not grow with the dataset.
 * @throws TrainingFailure when the dataset is gone, has no images that are here, or does not fit on the
 *   disk.
 */
export async function writeDataset(
  stores: DatasetStores,
  job: Pick<TrainingJobRow, 'organization_id' | 'dataset_id'>,
  datasetFile: string,
  { signal, log }: TrainingOptions,
): Promise<void> {
  const { store } = stores;
  const folder = dirname(datasetFile);
  await mkdir(join(folder, CONTENT_FOLDER));
  await using lines = await open(datasetFile, 'wx');
  const written: Written = { images: 0, gone: 0, others: 0 };
  let after: PageEnd | undefined;
  do {
    signal.throwIfAborted();
    const selection = selectionOf(job);
    const page = { oldestFirst: true, after, limit: PAGE_ITEMS };
    const rows = await pageOfBinaryData(store, selection, page);
    const images = rows.filter(({ mime_type }) => placementOfType(mime_type) === 'images');
    await requireRoom(folder, images);
    const copied = await copyContents(stores, images, folder, signal);
    await lines.write((await linesOf(store, copied)).join(''));
    written.images += copied.length;
    written.gone += images.length - copied.length;
    written.others += rows.length - images.length;
    // A page may be short, of which items were deleted while it was read.
    const last = rows.at(-1);
    after = last && { requestedAt: last.requested_at, id: last.id };
  } while (after !== undefined);
  const [dataset] = await findDatasets(store, [job.dataset_id]);
  if (dataset === undefined) {
    throw new TrainingFailure('The dataset was deleted: submit the job for another one.');
  }
  if (written.images === 0) {
    throw new TrainingFailure(
      written.gone > 0
        ? `None of the images of the dataset "${dataset.name}" is kept by this service: they were deleted ` +
            'meanwhile, or a service that shares its database keeps them. Submit the job again there.'
        : `The dataset "${dataset.name}" has no images: add JPEG or PNG images to it, with labels.`,
    );
  }
  await log({ level: 'info', message: toldOf(dataset.name, written) });
}

function selectionOf(job: Pick<TrainingJobRow, 'organization_id' | 'dataset_id'>): BinarySelection {
  return {
    scopes: [{ organizationIds: [job.organization_id], locationIds: [], machines: [] }],
    filter: { columns: [], boxLabels: [], datasetId: job.dataset_id },
    includeInternal: true,
  };
}

async function requireRoom(folder: string, images: readonly BinaryDataRow[]): Promise<void> {
  const needed = images.reduce((sum, { file_size }) => sum + file_size, ROOM_BYTES);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed) {
    throw new TrainingFailure(
      'The disk of the fleet service has no room for the images of the dataset: free some, or train ' +
        'on a smaller dataset.',
    );
  }
}

/** Copies contents, never links them: a training may write into its files. Answers those that were there. */
async function copyContents(
  { blobs }: DatasetStores,
  images: readonly BinaryDataRow[],
  folder: string,
  signal: AbortSignal,
): Promise<BinaryDataRow[]> {
  const copied = new Set<string>();
  await forEachBounded(images, COPIED_AT_ONCE, async (image) => {
    const content = await blobs.open(image.blob_hash);
    if (content !== undefined) {
      const path = join(folder, pathOf(image));
      await pipeline(content, createWriteStream(path, { flags: 'wx' }), { signal });
      copied.add(image.id);
    }
  });
  return images.filter(({ id }) => copied.has(id));
}

async function linesOf(store: Store, images: readonly BinaryDataRow[]): Promise<string[]> {
  const ids = images.map(({ id }) => id);
  const tags = await tagsByItem(store, ids);
  const boxes = await boxesByItem(store, ids);
  return images.flatMap((row) => {
    const { metadata } = binaryDataMessage(row, {
      tags: tags.get(row.id) ?? [],
      boxes: boxes.get(row.id) ?? [],
      ...{ datasetIds: [], uri: '', content: undefined },
    });
    return metadata ? [`${exportLine(binaryItemFromWire(metadata), pathOf(row))}\n`] : [];
  });
}

/** With forward slashes. The name is ours: what uploaders call their files is not safe as one. */
function pathOf({ id, mime_type }: BinaryDataRow): string {
  return `${CONTENT_FOLDER}/${id}${mime_type === 'image/png' ? '.png' : '.jpg'}`;
}

function toldOf(name: string, { images, gone, others }: Written): string {
  return [
    `Dataset "${name}"; images: ${String(images)}.`,
    ...(others > 0 ? [`Left out, as no JPEG or PNG images: ${String(others)}.`] : []),
    ...(gone > 0 ? [`Left out, as their contents are not here: ${String(gone)}.`] : []),
  ].join(' ');
}
