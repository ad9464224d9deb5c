import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { binaryItemFromWire, getPlacement } from '../../core/model/binaryItem';
import { exportLine } from '../../core/model/exportLine';
import { binaryDataMessage } from '../messages/dataMessages';
import { findBinaryData } from '../store/data/binaryData';
import type { BinarySelection } from '../store/data/binaryFilter';
import { type PageEnd, readBinaryDataPage } from '../store/data/binaryPages';
import { boxesByItem, tagsByItem } from '../store/data/binaryMarks';
import type { BinaryDataRow } from '../store/data/dataSchema';
import type { Store } from '../store/store';
import type { TrainingJobRow } from '../store/training/trainingSchema';
import { forEachBounded } from '../../base/bounded';
import { DamagedBlobError } from '../blobs/blobChecks';
import type { BlobStore } from '../blobs/blobStore';
import type { DamageReports } from '../blobs/damageReports';
import { TrainingError } from './trainingRunner';

/** Folder next to the dataset file. It has the same name as in exports from the public service. */
const CONTENT_FOLDER = 'data';
const PAGE_ITEMS = 500;
/**
 * Number of items per batch. It is small because all copies in a batch are wasted if the disk
 * becomes full.
 */
const CHOSEN_ITEMS = 50;

type Job = Pick<TrainingJobRow, 'organization_id' | 'dataset_id'>;

/** Images in a page of a dataset's items. */
export interface ImagePage {
  readonly images: readonly BinaryDataRow[];
  /** Number of items that aren't images. */
  readonly others: number;
}

/** Yields the images in a job's dataset in capture order. */
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

/** Image with its line in the dataset file, including the line break. */
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
      datasetIds: [],
      uri: '',
      content: undefined,
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
function contentPath({ id, mime_type }: BinaryDataRow): string {
  return `${CONTENT_FOLDER}/${id}${mime_type === 'image/png' ? '.png' : '.jpg'}`;
}

const COPIED_AT_ONCE = 4;
const MEBIBYTE = 1024 * 1024;
/**
 * Disk space that images must leave free for the service and the training job, which write to the
 * same disk.
 */
const ROOM_BYTES = 256 * MEBIBYTE;

/** Source of the images. */
export interface ImageSource {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly damageReports: DamageReports;
}

/** Copies of images in a dataset file's folder. The file contains one line for each image. */
export class ImageCopies implements AsyncDisposable {
  /** Number of copied images. */
  written = 0;
  /**
   * Number of images whose content isn't available because it was deleted, is damaged, or is on the
   * disk of another service that uses the same database.
   */
  gone = 0;

  private constructor(
    private readonly source: ImageSource,
    private readonly folder: string,
    private readonly lines: FileHandle,
    private readonly signal: AbortSignal,
  ) {}

  static async open(
    source: ImageSource,
    datasetFile: string,
    signal: AbortSignal,
  ): Promise<ImageCopies> {
    const folder = dirname(datasetFile);
    await mkdir(join(folder, CONTENT_FOLDER));
    return new ImageCopies(source, folder, await open(datasetFile, 'wx'), signal);
  }

  /**
   * Copies images. Images are never linked, because a training job can write to its files.
   * @param isTaken called for every copy, in order. If it returns false, that copy and all later
   *   ones are deleted.
   * @returns true if all copies were accepted.
   * @throws TrainingError if the images don't fit on the disk.
   */
  async add(
    images: readonly BinaryDataRow[],
    isTaken: (file: string) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<boolean> {
    await this.requireRoom(images);
    const copied = await this.copyContents(images);
    const taken: BinaryDataRow[] = [];
    let gone = 0;
    for (const image of images) {
      if (!copied.has(image.id)) gone += 1;
      else if (await isTaken(this.getPath(image))) taken.push(image);
      else break;
    }
    const isAll = taken.length === copied.size;
    for (const { id } of taken) copied.delete(id);
    for (const image of copied.values()) await rm(this.getPath(image));
    const lines = await readImageLines(this.source.store, taken);
    // Uses `appendFile`, because a plain write to a full disk might write less than requested
    // without an error.
    await this.lines.appendFile(lines.map(({ line }) => line).join(''));
    this.written += taken.length;
    this.gone += gone;
    return isAll;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lines.close();
  }

  private async requireRoom(images: readonly BinaryDataRow[]): Promise<void> {
    const needed = images.reduce((sum, { file_size }) => sum + file_size, ROOM_BYTES);
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < needed) {
      throw new TrainingError(
        'The disk of the fleet service has no space for the images of the dataset. Free up space, or train ' +
          'on a smaller dataset.',
      );
    }
  }

  /** Copies the images' contents. Returns the images whose content is available, by ID. */
  private async copyContents(
    images: readonly BinaryDataRow[],
  ): Promise<Map<string, BinaryDataRow>> {
    const copied = new Map<string, BinaryDataRow>();
    await forEachBounded(images, COPIED_AT_ONCE, async (image) => {
      if (await this.copyContent(image)) copied.set(image.id, image);
    });
    return copied;
  }

  /** @returns true if the content is available and undamaged. */
  private async copyContent(image: BinaryDataRow): Promise<boolean> {
    const { blobs, damageReports } = this.source;
    const { id, blob_hash: hash, file_size: size } = image;
    const path = this.getPath(image);
    try {
      const content = await blobs.open({ hash, size });
      if (content === undefined) return false;
      await pipeline(content, createWriteStream(path, { flags: 'wx' }), { signal: this.signal });
      return true;
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      damageReports.report({ kind: 'binary data', id, hash }, error);
      await rm(path, { force: true });
      return false;
    }
  }

  private getPath(image: BinaryDataRow): string {
    return join(this.folder, contentPath(image));
  }
}
