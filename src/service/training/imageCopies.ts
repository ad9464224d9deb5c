import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachBounded } from '../../base/bounded';
import type { BlobStore } from '../blobs/blobStore';
import type { BinaryDataRow } from '../store/data/dataSchema';
import type { Store } from '../store/store';
import { CONTENT_FOLDER, contentPath, linesOf } from './datasetImages';
import { TrainingFailure } from './trainingRunner';

const COPIED_AT_ONCE = 4;
const MEBIBYTE = 1024 * 1024;
/** Room that images leave on the disk: the service writes there too, and so does the training. */
const ROOM_BYTES = 256 * MEBIBYTE;

/** What images are copied from. */
export interface ImageSource {
  readonly store: Store;
  readonly blobs: BlobStore;
}

/** Copies of images in the folder of a dataset file, which gets a line for each. */
export class ImageCopies implements AsyncDisposable {
  /** Those that are there. */
  written = 0;
  /** Those whose content is not here: deleted in the meantime, or kept by a service that shares the database. */
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
   * Copies images, never links them: a training may write into its files.
   * @param isTaken is asked of every copy in their order; where it says no, that and those after it go.
   * @returns whether all were taken. @throws TrainingFailure when they do not fit on the disk.
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
      else if (await isTaken(this.pathOf(image))) taken.push(image);
      else break;
    }
    const isAll = taken.length === copied.size;
    for (const { id } of taken) copied.delete(id);
    for (const image of copied.values()) await rm(this.pathOf(image));
    const lines = await linesOf(this.source.store, taken);
    // A write may write less than it was given where the disk is full, and say nothing.
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
      throw new TrainingFailure(
        'The disk of the fleet service has no room for the images of the dataset: free some, or train ' +
          'on a smaller dataset.',
      );
    }
  }

  /** Answers those that were there, by their ids. */
  private async copyContents(
    images: readonly BinaryDataRow[],
  ): Promise<Map<string, BinaryDataRow>> {
    const { signal } = this;
    const copied = new Map<string, BinaryDataRow>();
    await forEachBounded(images, COPIED_AT_ONCE, async (image) => {
      const content = await this.source.blobs.open(image.blob_hash);
      if (content !== undefined) {
        const file = createWriteStream(this.pathOf(image), { flags: 'wx' });
        await pipeline(content, file, { signal });
        copied.set(image.id, image);
      }
    });
    return copied;
  }

  private pathOf(image: BinaryDataRow): string {
    return join(this.folder, contentPath(image));
  }
}
