import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataId } from '../../model/ids';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import { FleetError } from '../../api/errors';
import { ContentBatcher } from './contentBatcher';
import { requireShowable, wholeContent } from './wholeContent';

/** Larger pictures are not read for a thumbnail. */
const LARGEST_THUMBNAIL = 24 * 1024 * 1024;

export interface ItemContentsOptions {
  /** That of the connection now. */
  readonly store: () => BinaryDataStore;
  /** What is known of an item already. */
  readonly find: (id: BinaryDataId) => BinaryItem | undefined;
  /** Resolves when everybody who asks at about the same time has asked. */
  readonly gathered: () => Promise<void>;
}

/** Contents of items for anyone who shows them: many small ones in few calls, large ones as a stream. */
export class ItemContents {
  private readonly batcher: ContentBatcher;

  constructor(private readonly options: ItemContentsOptions) {
    this.batcher = new ContentBatcher({
      read: (ids, signal) => options.store().contents(ids, signal),
      gathered: options.gathered,
    });
  }

  /** The content of a picture for its thumbnail. Throws `FleetError`. */
  async thumbnail(id: BinaryDataId, signal: AbortSignal): Promise<ArrayBuffer> {
    const item = await this.item(id, signal);
    if (item.sizeBytes > LARGEST_THUMBNAIL) {
      throw new FleetError('unsupported', 'The image is too large for a thumbnail.');
    }
    // A copy: what was received lies in memory among other things.
    return new Uint8Array(await this.batcher.read(item, signal)).buffer;
  }

  /** A whole content. @param report is told how many bytes have come. Throws `FleetError`. */
  async whole(
    id: BinaryDataId,
    signal: AbortSignal,
    report?: (bytes: number) => void,
  ): Promise<ArrayBuffer> {
    const item = await this.item(id, signal);
    requireShowable(item.sizeBytes);
    const stream = await this.options.store().content(item, { signal });
    return (await wholeContent(stream, report)).buffer;
  }

  /** An item, read again when it is not known any more. Throws `notFound`. */
  async item(id: BinaryDataId, signal?: AbortSignal): Promise<BinaryItem> {
    const known = this.options.find(id);
    if (known) return known;
    const [item] = await this.options.store().get([id], signal);
    if (!item) throw new FleetError('notFound', 'The item no longer exists.');
    return item;
  }
}
