import type { Localizer } from '../../../base/localizer';
import { type FleetError, isCanceled } from '../../api/errors';
import { type BulkOutcome, runBulk } from '../../bulk/bulkRun';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { Sleep } from '../../ports';
import { type ContentSource, type DownloadFolder, fetchContent, FolderError } from './fetchContent';
import { FileNameAllocator } from './fileNameAllocator';

/** Maximum number of concurrent downloads. A higher number wouldn't make them finish sooner. */
const CONCURRENT = 8;

export interface DownloadsOptions {
  readonly store: BinaryDataStore;
  readonly folder: DownloadFolder;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: DownloadProgress) => void) | undefined;
  /** Translates error messages. */
  readonly l10n?: Localizer;
}

export interface DownloadProgress {
  readonly items: number;
  readonly bytes: number;
}

/** Outcome of downloading an item, with the name of its file. */
export type DownloadOutcome = BulkOutcome<BinaryItem> & { readonly name?: string | undefined };

/**
 * Downloads items into a folder, with contents in `data` and metadata in `metadata`. Another
 * download to the same folder resumes the previous one: complete files are kept, and partial files
 * are completed.
 */
export class Downloads {
  private readonly desk: FileNameAllocator;
  private items = 0;
  private bytes = 0;
  private failure: FleetError | undefined;

  constructor(private readonly options: DownloadsOptions) {
    this.desk = new FileNameAllocator(options.folder, options.l10n);
  }

  /**
   * Reason that the folder can no longer be written to, such as a full disk. If set, no more items
   * are downloaded.
   */
  get broken(): FleetError | undefined {
    return this.failure;
  }

  /** Downloads items and continues if individual items fail. The results are in item order. */
  async fetch(items: readonly BinaryItem[]): Promise<readonly DownloadOutcome[]> {
    const names = new Map<BinaryItem, string>();
    const { signal } = this.options;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    if (this.failure) stop.abort();
    const outcomes = await runBulk(
      items,
      async (item) => {
        try {
          names.set(item, await this.fetchOne(item, either));
        } catch (error) {
          if (error instanceof FolderError) {
            this.failure ??= error;
            stop.abort();
          }
          throw error;
        }
        this.items += 1;
        this.reportProgress();
      },
      { limit: CONCURRENT, signal: either },
    );
    return outcomes.map((outcome) => {
      const isStopped = outcome.state === 'failed' && isCanceled(outcome.error);
      const finalOutcome = isStopped
        ? ({ item: outcome.item, state: 'notStarted' } as const)
        : outcome;
      return { ...finalOutcome, name: names.get(outcome.item) };
    });
  }

  private async fetchOne(item: BinaryItem, signal: AbortSignal): Promise<string> {
    const { name, isComplete } = await this.desk.reserve(item);
    if (isComplete) {
      this.bytes += item.sizeBytes;
    } else {
      const onBytes = (bytes: number): void => {
        this.bytes += bytes;
        this.reportProgress();
      };
      const source: ContentSource = {
        open: (request) => this.options.store.content(item, request),
        sizeBytes: item.sizeBytes,
      };
      await fetchContent(source, name, { ...this.options, signal, onBytes });
    }
    return name;
  }

  private reportProgress(): void {
    this.options.onProgress?.({ items: this.items, bytes: this.bytes });
  }
}
