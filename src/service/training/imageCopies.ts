import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachBounded } from '../../base/bounded';
import { DamagedBlob } from '../blobs/blobChecks';
import type { BlobStore } from '../blobs/blobStore';
import type { DamageReports } from '../blobs/damageReports';
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
  readonly damageReports: DamageReports;
}

/** Copies of images in the folder of a dataset file, which gets a line for each. */
export class ImageCopies implements AsyncDisposable {
  /** Those that are there. */
  written = 0;
  /** Those whose content is not here: deleted, damaged, or on the disk of a service that shares the database. */
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
        'The disk of the fleet service has no space for the images of the dataset. Free up space, or train ' +
          'on a smaller dataset.',
      );
    }
  }

  /** Answers those that were there, by their ids. */
  private async copyContents(
    images: readonly BinaryDataRow[],
  ): Promise<Map<string, BinaryDataRow>> {
    const copied = new Map<string, BinaryDataRow>();
    await forEachBounded(images, COPIED_AT_ONCE, async (image) => {
      if (await this.copyContent(image)) copied.set(image.id, image);
    });
    return copied;
  }

  /** @returns whether the content is there and undamaged. */
  private async copyContent(image: BinaryDataRow): Promise<boolean> {
    const { blobs, damageReports } = this.source;
    const { id, blob_hash: hash, file_size: size } = image;
    const path = this.pathOf(image);
    try {
      const content = await blobs.open({ hash, size });
      if (content === undefined) return false;
      await pipeline(content, createWriteStream(path, { flags: 'wx' }), { signal: this.signal });
      return true;
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error;
      damageReports.report({ kind: 'binary data', id, hash }, error);
      await rm(path, { force: true });
      return false;
    }
  }

  private pathOf(image: BinaryDataRow): string {
    return join(this.folder, contentPath(image));
  }
}
