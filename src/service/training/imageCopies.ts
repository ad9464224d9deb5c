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
import { CONTENT_FOLDER, contentPath, readImageLines } from './datasetImages';
import { TrainingFailure } from './trainingRunner';

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

/** Copies of images in the folder of a dataset file. The file contains one line for each image. */
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
   * @throws TrainingFailure if the images don't fit on the disk.
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
      throw new TrainingFailure(
        'The disk of the fleet service has no space for the images of the dataset. Free up space, or train ' +
          'on a smaller dataset.',
      );
    }
  }

  /** Copies the contents of images. Returns the images whose content is available, by ID. */
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
      if (!(error instanceof DamagedBlob)) throw error;
      damageReports.report({ kind: 'binary data', id, hash }, error);
      await rm(path, { force: true });
      return false;
    }
  }

  private getPath(image: BinaryDataRow): string {
    return join(this.folder, contentPath(image));
  }
}
