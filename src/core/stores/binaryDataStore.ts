import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetClients, required, withSignal } from '../api/fleetClients';
import type { ContentRequest, ContentStream, ReadContent } from '../api/contentStream';
import { type BinaryItem, binaryItemFromWire, type BoundingBox } from '../model/binaryItem';
import {
  CAPTURE_ORDERS,
  type CaptureFilter,
  captureFilterToWire,
  type CaptureOrder,
} from '../model/captureFilter';
import { type BinaryDataId, binaryDataId, type DatasetId } from '../model/ids';

/**
 * Maximum size in bytes of content that can be read faster with a call on the open connection than
 * with a separate request.
 */
const MAX_BYTES_PER_CALL = 4 * 1024 * 1024;

export interface BinaryPageRequest {
  readonly filter: CaptureFilter;
  readonly order: CaptureOrder;
  /** Maximum number of items in the page. */
  readonly limit: number;
  /** `last` of the previous page; absent for the first page. */
  readonly after?: string | undefined;
}

export interface BinaryPage {
  readonly items: readonly BinaryItem[];
  /** Token for the end of the page. If the page is empty, there are no more items. */
  readonly last: string;
  /** Total for all of the filter's matches. */
  readonly total: BinaryTotal;
}

export interface BinaryTotal {
  readonly count: number;
  readonly bytes: number;
}

export interface BinaryContent {
  readonly id: BinaryDataId;
  readonly bytes: Uint8Array;
}

/** Change that this window made to binary data; `all` if the affected items are unknown. */
export interface BinaryChange {
  readonly kind: 'tags' | 'boxes' | 'datasets' | 'deleted' | 'uploaded';
  readonly ids: readonly BinaryDataId[] | 'all';
}

/**
 * Captured images, point clouds, and files. Caches nothing and only reports changes. Methods throw
 * `FleetError`.
 */
export class BinaryDataStore extends Disposable {
  private readonly changed = this.register(new Emitter<BinaryChange>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly clients: FleetClients,
    private readonly contentReader: () => Promise<ReadContent | undefined>,
  ) {
    super();
  }

  /** Returns the exact total of a filter's matches. */
  async count(filter: CaptureFilter, signal?: AbortSignal): Promise<BinaryTotal> {
    const { count, totalSizeBytes } = await this.clients.data.binaryDataByFilter(
      {
        dataRequest: { filter: captureFilterToWire(filter) },
        includeBinary: false,
        countOnly: true,
      },
      withSignal(signal),
    );
    return { count: Number(count), bytes: Number(totalSizeBytes) };
  }

  /** Returns one page of a filter's matches, without contents. */
  async page(request: BinaryPageRequest, signal?: AbortSignal): Promise<BinaryPage> {
    const { filter, order, limit, after = '' } = request;
    const answer = await this.clients.data.binaryDataByFilter(
      {
        dataRequest: {
          filter: captureFilterToWire(filter),
          limit: BigInt(limit),
          last: after,
          sortOrder: CAPTURE_ORDERS[order],
        },
        // By default, services can include the contents of all items.
        includeBinary: false,
      },
      withSignal(signal),
    );
    return {
      items: answer.data.map(({ metadata }) =>
        binaryItemFromWire(required(metadata, 'item', this.clients.l10n)),
      ),
      last: answer.last,
      total: { count: Number(answer.count), bytes: Number(answer.totalSizeBytes) },
    };
  }

  /**
   * Returns items without their contents, in the order of the given IDs. Throws `notFound` if one
   * of the items was deleted.
   */
  async get(ids: readonly BinaryDataId[], signal?: AbortSignal): Promise<readonly BinaryItem[]> {
    const answer = await this.clients.data.binaryDataByIDs(
      { binaryDataIds: [...ids], includeBinary: false },
      withSignal(signal),
    );
    return answer.data.map(({ metadata }) =>
      binaryItemFromWire(required(metadata, 'item', this.clients.l10n)),
    );
  }

  /**
   * Reads the items' contents in one call. The contents must fit into one message (32 MiB).
   * Otherwise, the service rejects the call with `invalid` or `unavailable`. Larger contents must
   * be read from `BinaryItem.uri`. Damaged contents are empty; if all of them are damaged, throws
   * `damaged`.
   */
  async contents(
    ids: readonly BinaryDataId[],
    signal?: AbortSignal,
  ): Promise<readonly BinaryContent[]> {
    const answer = await this.clients.data.binaryDataByIDs(
      { binaryDataIds: [...ids], includeBinary: true },
      withSignal(signal),
    );
    return answer.data.map(({ binary, metadata }) => ({
      id: binaryDataId(metadata?.binaryDataId ?? ''),
      bytes: binary,
    }));
  }

  /**
   * Returns the content of one item as a stream, regardless of its size. If a position is given,
   * returns only the rest of the content.
   */
  async content(
    item: Pick<BinaryItem, 'id' | 'uri' | 'sizeBytes'>,
    request: ContentRequest = {},
  ): Promise<ContentStream> {
    const isTooLarge = item.uri !== '' && item.sizeBytes > MAX_BYTES_PER_CALL;
    const read = isTooLarge ? await this.contentReader() : undefined;
    if (read) return read(item.uri, request);
    const [content] = await this.contents([item.id], request.signal);
    const { bytes } = required(content, 'content', this.clients.l10n);
    return { start: 0, size: bytes.length, version: undefined, chunks: once(bytes) };
  }

  /** Returns the tags of all items that match a filter. */
  async listTags(filter: CaptureFilter, signal?: AbortSignal): Promise<readonly string[]> {
    const request = { filter: captureFilterToWire(filter) };
    return (await this.clients.data.tagsByFilter(request, withSignal(signal))).tags;
  }

  /** Returns the box labels of all items that match a filter. */
  async listLabels(filter: CaptureFilter, signal?: AbortSignal): Promise<readonly string[]> {
    const request = { filter: captureFilterToWire(filter) };
    return (await this.clients.data.boundingBoxLabelsByFilter(request, withSignal(signal))).labels;
  }

  /** Adds tags to items and keeps their existing tags. Changes either all of the items or none. */
  async addTags(
    ids: readonly BinaryDataId[],
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const request = { binaryDataIds: [...ids], tags: [...tags] };
    await this.clients.data.addTagsToBinaryDataByIDs(request, withSignal(signal));
    this.changed.fire({ kind: 'tags', ids });
  }

  /** Adds tags to all items that match a filter. */
  async addTagsToAll(
    filter: CaptureFilter,
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const request = { filter: captureFilterToWire(filter), tags: [...tags] };
    await this.clients.data.addTagsToBinaryDataByFilter(request, withSignal(signal));
    this.changed.fire({ kind: 'tags', ids: 'all' });
  }

  /** Removes tags from items. @returns the number of removed tags. */
  async removeTags(
    ids: readonly BinaryDataId[],
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<number> {
    const request = { binaryDataIds: [...ids], tags: [...tags] };
    const answer = await this.clients.data.removeTagsFromBinaryDataByIDs(
      request,
      withSignal(signal),
    );
    this.changed.fire({ kind: 'tags', ids });
    return Number(answer.deletedCount);
  }

  /** Removes tags from all items that match a filter. @returns the number of removed tags. */
  async removeTagsFromAll(
    filter: CaptureFilter,
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<number> {
    const request = { filter: captureFilterToWire(filter), tags: [...tags] };
    const answer = await this.clients.data.removeTagsFromBinaryDataByFilter(
      request,
      withSignal(signal),
    );
    this.changed.fire({ kind: 'tags', ids: 'all' });
    return Number(answer.deletedCount);
  }

  /** Adds a bounding box. @returns the ID of the box. */
  async addBox(
    id: BinaryDataId,
    { label, xMin, yMin, xMax, yMax, confidence }: Omit<BoundingBox, 'id'>,
  ): Promise<string> {
    const answer = await this.clients.data.addBoundingBoxToImageByID({
      binaryDataId: id,
      label,
      xMinNormalized: xMin,
      yMinNormalized: yMin,
      xMaxNormalized: xMax,
      yMaxNormalized: yMax,
      ...(confidence !== undefined && { confidence }),
    });
    this.changed.fire({ kind: 'boxes', ids: [id] });
    return answer.bboxId;
  }

  /** Removes a bounding box. Throws `notFound` when the image has no such box. */
  async removeBox(id: BinaryDataId, boxId: string): Promise<void> {
    await this.clients.data.removeBoundingBoxFromImageByID({ binaryDataId: id, bboxId: boxId });
    this.changed.fire({ kind: 'boxes', ids: [id] });
  }

  /** Adds items to a dataset. Items that are already members are not affected. */
  async addToDataset(
    dataset: DatasetId,
    ids: readonly BinaryDataId[],
    signal?: AbortSignal,
  ): Promise<void> {
    const request = { datasetId: dataset, binaryDataIds: [...ids] };
    await this.clients.data.addBinaryDataToDatasetByIDs(request, withSignal(signal));
    this.changed.fire({ kind: 'datasets', ids });
  }

  /** Removes items from a dataset. Items that are not members are not affected. */
  async removeFromDataset(
    dataset: DatasetId,
    ids: readonly BinaryDataId[],
    signal?: AbortSignal,
  ): Promise<void> {
    const request = { datasetId: dataset, binaryDataIds: [...ids] };
    await this.clients.data.removeBinaryDataFromDatasetByIDs(request, withSignal(signal));
    this.changed.fire({ kind: 'datasets', ids });
  }

  /** Handles the deletion of datasets, which the service also removes from all items. */
  datasetsDeleted(): void {
    this.changed.fire({ kind: 'datasets', ids: 'all' });
  }

  /** Deletes items. @returns the number of deleted items. */
  async delete(ids: readonly BinaryDataId[], signal?: AbortSignal): Promise<number> {
    const answer = await this.clients.data.deleteBinaryDataByIDs(
      { binaryDataIds: [...ids] },
      withSignal(signal),
    );
    this.changed.fire({ kind: 'deleted', ids });
    return Number(answer.deletedCount);
  }

  /**
   * Deletes all items that match a filter, which must specify organizations. Internal data of
   * services is not listed, counted, or deleted. @returns the number of deleted items.
   */
  async deleteAll(filter: CaptureFilter, signal?: AbortSignal): Promise<number> {
    const request = { filter: captureFilterToWire(filter), includeInternalData: false };
    const answer = await this.clients.data.deleteBinaryDataByFilter(request, withSignal(signal));
    this.changed.fire({ kind: 'deleted', ids: 'all' });
    return Number(answer.deletedCount);
  }

  /** Notifies listeners of new items that were uploaded without this store. */
  uploaded(ids: readonly BinaryDataId[]): void {
    this.changed.fire({ kind: 'uploaded', ids });
  }
}

// Yields all bytes as a stream with one chunk.
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
