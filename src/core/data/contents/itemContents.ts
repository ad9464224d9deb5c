import { englishLocalizer, type Localizer } from '../../../base/localizer';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataId } from '../../model/ids';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import { FleetError } from '../../api/errors';
import { ContentBatcher } from './contentBatcher';
import { requireShowable, wholeContent } from './wholeContent';

/** Maximum size of images that are read for a thumbnail. */
const MAX_THUMBNAIL_BYTES = 24 * 1024 * 1024;

export interface ItemContentsOptions {
  /** Returns the store of the current connection. */
  readonly store: () => BinaryDataStore;
  /** Returns the item if it is cached. */
  readonly find: (id: BinaryDataId) => BinaryItem | undefined;
  /**
   * Resolves when concurrent callers have added their requests, so that the requests can be
   * batched.
   */
  readonly gathered: () => Promise<void>;
  /** The language of error messages. */
  readonly l10n?: Localizer | undefined;
}

/**
 * Reads contents of items for display. Batches small contents into a few calls and streams large
 * contents.
 */
export class ItemContents {
  private readonly batcher: ContentBatcher;
  private readonly l10n: Localizer;

  constructor(private readonly options: ItemContentsOptions) {
    this.l10n = options.l10n ?? englishLocalizer;
    this.batcher = new ContentBatcher({
      read: (ids, signal) => options.store().contents(ids, signal),
      gathered: options.gathered,
      l10n: options.l10n,
    });
  }

  /** Reads the content of an image for its thumbnail. Throws `FleetError`. */
  async thumbnail(id: BinaryDataId, signal: AbortSignal): Promise<ArrayBuffer> {
    const item = await this.item(id, signal);
    if (item.sizeBytes > MAX_THUMBNAIL_BYTES) {
      throw new FleetError('unsupported', this.l10n.t('The image is too large for a thumbnail.'));
    }
    // A copy, because the received bytes are part of a larger buffer.
    return new Uint8Array(await this.batcher.read(item, signal)).buffer;
  }

  /**
   * Reads the complete content of an item. @param report called with the number of received bytes.
   * Throws `FleetError`.
   */
  async whole(
    id: BinaryDataId,
    signal: AbortSignal,
    report?: (bytes: number) => void,
  ): Promise<ArrayBuffer> {
    const item = await this.item(id, signal);
    requireShowable(item.sizeBytes, this.l10n);
    const stream = await this.options.store().content(item, { signal });
    return (await wholeContent(stream, report, this.l10n)).buffer;
  }

  /** Returns an item. Reads it again if it is no longer cached. Throws `notFound`. */
  async item(id: BinaryDataId, signal?: AbortSignal): Promise<BinaryItem> {
    const known = this.options.find(id);
    if (known) return known;
    const [item] = await this.options.store().get([id], signal);
    if (!item) throw new FleetError('notFound', this.l10n.t('The item no longer exists.'));
    return item;
  }
}
