import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { required, withSignal } from '../api/calls';
import type { ContentRequest, ContentStream, ReadContent } from '../api/contentStream';
import type { LoadClients } from '../api/fleetClients';
import { type BinaryItem, binaryItemFromWire, type BoundingBox } from '../model/binaryItem';
import type { CaptureFilter } from '../model/captureFilter';
import { captureFilterToWire } from '../model/captureFilterToWire';
import { type BinaryDataId, binaryDataId, type DatasetId } from '../model/ids';
import { CAPTURE_ORDERS, type CaptureOrder } from './captureOrder';

/** Up to so much, a call on the open connection is quicker than a request of its own. */
const LARGEST_IN_CALL = 4 * 1024 * 1024;

export interface BinaryPageRequest {
  readonly filter: CaptureFilter;
  readonly order: CaptureOrder;
  /** Items of the page, at most. */
  readonly limit: number;
  /** The `last` of the page before; absent for the first. */
  readonly after?: string | undefined;
}

export interface BinaryPage {
  readonly items: readonly BinaryItem[];
  /** Marks the page's end. There is nothing further when the page is empty. */
  readonly last: string;
  /** Of all that the filter selects. */
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

/** What has become of binary data through this window; `all` when it is not known of which items. */
export interface BinaryChange {
  readonly kind: 'tags' | 'boxes' | 'datasets' | 'deleted' | 'uploaded';
  readonly ids: readonly BinaryDataId[] | 'all';
}

/**
 * Captured images, point clouds and files. Nothing is kept here but the word of what was changed. Every
 * method throws `FleetError`.
 */
export class BinaryDataStore extends Disposable {
  private readonly changed = this.register(new Emitter<BinaryChange>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly clients: LoadClients,
    private readonly contentReader: () => ReadContent | undefined,
  ) {
    super();
  }

  /** How much a filter selects, exactly. */
  async count(filter: CaptureFilter, signal?: AbortSignal): Promise<BinaryTotal> {
    const { data } = await this.clients();
    const { count, totalSizeBytes } = await data.binaryDataByFilter(
      {
        dataRequest: { filter: captureFilterToWire(filter) },
        includeBinary: false,
        countOnly: true,
      },
      withSignal(signal),
    );
    return { count: Number(count), bytes: Number(totalSizeBytes) };
  }

  /** One page of what a filter selects, without contents. */
  async page(request: BinaryPageRequest, signal?: AbortSignal): Promise<BinaryPage> {
    const { filter, order, limit, after = '' } = request;
    const { data } = await this.clients();
    const answer = await data.binaryDataByFilter(
      {
        dataRequest: {
          filter: captureFilterToWire(filter),
          limit: BigInt(limit),
          last: after,
          sortOrder: CAPTURE_ORDERS[order],
        },
        // Without the word services may send every content along.
        includeBinary: false,
      },
      withSignal(signal),
    );
    return {
      items: answer.data.map(({ metadata }) => binaryItemFromWire(required(metadata, 'an item'))),
      last: answer.last,
      total: { count: Number(answer.count), bytes: Number(answer.totalSizeBytes) },
    };
  }

  /** Items by their ids, without contents, in the order of the ids. Throws `notFound` when one is gone. */
  async get(ids: readonly BinaryDataId[], signal?: AbortSignal): Promise<readonly BinaryItem[]> {
    const { data } = await this.clients();
    const answer = await data.binaryDataByIDs(
      { binaryDataIds: [...ids], includeBinary: false },
      withSignal(signal),
    );
    return answer.data.map(({ metadata }) => binaryItemFromWire(required(metadata, 'an item')));
  }

  /**
   * Contents of items in one call; they have to fit into one message (32 MiB), or the service refuses
   * with `invalid` or `unavailable`. Larger ones are read through `BinaryItem.uri`. Contents that are
   * damaged are empty; throws `damaged` when all of them are.
   */
  async contents(
    ids: readonly BinaryDataId[],
    signal?: AbortSignal,
  ): Promise<readonly BinaryContent[]> {
    const { data } = await this.clients();
    const answer = await data.binaryDataByIDs(
      { binaryDataIds: [...ids], includeBinary: true },
      withSignal(signal),
    );
    return answer.data.map(({ binary, metadata }) => ({
      id: binaryDataId(metadata?.binaryDataId ?? ''),
      bytes: binary,
    }));
  }

  /** The content of one item, of any size, as it comes in, or what is missing of it. */
  async content(
    item: Pick<BinaryItem, 'id' | 'uri' | 'sizeBytes'>,
    request: ContentRequest = {},
  ): Promise<ContentStream> {
    const read = this.contentReader();
    if (read && item.uri !== '' && item.sizeBytes > LARGEST_IN_CALL) {
      return read(item.uri, request);
    }
    const [content] = await this.contents([item.id], request.signal);
    const { bytes } = required(content, 'the content');
    return { start: 0, size: bytes.length, version: undefined, chunks: once(bytes) };
  }

  /** Tags in use on what a filter selects. */
  async tagsOf(filter: CaptureFilter, signal?: AbortSignal): Promise<readonly string[]> {
    const { data } = await this.clients();
    const request = { filter: captureFilterToWire(filter) };
    return (await data.tagsByFilter(request, withSignal(signal))).tags;
  }

  /** Labels of the boxes on what a filter selects. */
  async labelsOf(filter: CaptureFilter, signal?: AbortSignal): Promise<readonly string[]> {
    const { data } = await this.clients();
    const request = { filter: captureFilterToWire(filter) };
    return (await data.boundingBoxLabelsByFilter(request, withSignal(signal))).labels;
  }

  /** Puts tags on items; one that an item has already stays. All or none of the items. */
  async addTags(
    ids: readonly BinaryDataId[],
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { data } = await this.clients();
    const request = { binaryDataIds: [...ids], tags: [...tags] };
    await data.addTagsToBinaryDataByIDs(request, withSignal(signal));
    this.changed.fire({ kind: 'tags', ids });
  }

  /** Puts tags on everything that a filter selects. */
  async addTagsToAll(
    filter: CaptureFilter,
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { data } = await this.clients();
    const request = { filter: captureFilterToWire(filter), tags: [...tags] };
    await data.addTagsToBinaryDataByFilter(request, withSignal(signal));
    this.changed.fire({ kind: 'tags', ids: 'all' });
  }

  /** Takes tags off items. @returns how many tags were removed. */
  async removeTags(
    ids: readonly BinaryDataId[],
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<number> {
    const { data } = await this.clients();
    const request = { binaryDataIds: [...ids], tags: [...tags] };
    const answer = await data.removeTagsFromBinaryDataByIDs(request, withSignal(signal));
    this.changed.fire({ kind: 'tags', ids });
    return Number(answer.deletedCount);
  }

  /** Takes tags off everything that a filter selects. @returns how many tags were removed. */
  async removeTagsFromAll(
    filter: CaptureFilter,
    tags: readonly string[],
    signal?: AbortSignal,
  ): Promise<number> {
    const { data } = await this.clients();
    const request = { filter: captureFilterToWire(filter), tags: [...tags] };
    const answer = await data.removeTagsFromBinaryDataByFilter(request, withSignal(signal));
    this.changed.fire({ kind: 'tags', ids: 'all' });
    return Number(answer.deletedCount);
  }

  /** Draws a box. @returns its id. */
  async addBox(
    id: BinaryDataId,
    { label, xMin, yMin, xMax, yMax, confidence }: Omit<BoundingBox, 'id'>,
  ): Promise<string> {
    const { data } = await this.clients();
    const answer = await data.addBoundingBoxToImageByID({
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

  /** Throws `notFound` when the image has no such box. */
  async removeBox(id: BinaryDataId, boxId: string): Promise<void> {
    const { data } = await this.clients();
    await data.removeBoundingBoxFromImageByID({ binaryDataId: id, bboxId: boxId });
    this.changed.fire({ kind: 'boxes', ids: [id] });
  }

  /** Adds items to a dataset; members stay what they are. */
  async addToDataset(
    dataset: DatasetId,
    ids: readonly BinaryDataId[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { data } = await this.clients();
    const request = { datasetId: dataset, binaryDataIds: [...ids] };
    await data.addBinaryDataToDatasetByIDs(request, withSignal(signal));
    this.changed.fire({ kind: 'datasets', ids });
  }

  /** Takes items out of a dataset; what is no member is left alone. */
  async removeFromDataset(
    dataset: DatasetId,
    ids: readonly BinaryDataId[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { data } = await this.clients();
    const request = { datasetId: dataset, binaryDataIds: [...ids] };
    await data.removeBinaryDataFromDatasetByIDs(request, withSignal(signal));
    this.changed.fire({ kind: 'datasets', ids });
  }

  /** Deletes items. @returns how many are gone. */
  async delete(ids: readonly BinaryDataId[], signal?: AbortSignal): Promise<number> {
    const { data } = await this.clients();
    const answer = await data.deleteBinaryDataByIDs(
      { binaryDataIds: [...ids] },
      withSignal(signal),
    );
    this.changed.fire({ kind: 'deleted', ids });
    return Number(answer.deletedCount);
  }

  /**
   * Deletes all that a filter selects; it has to name organizations. What services keep for themselves is
   * neither listed nor counted, and stays. @returns how many are gone.
   */
  async deleteAll(filter: CaptureFilter, signal?: AbortSignal): Promise<number> {
    const { data } = await this.clients();
    const request = { filter: captureFilterToWire(filter), includeInternalData: false };
    const answer = await data.deleteBinaryDataByFilter(request, withSignal(signal));
    this.changed.fire({ kind: 'deleted', ids: 'all' });
    return Number(answer.deletedCount);
  }

  /** Tells everyone that items came, which something else than this store has uploaded. */
  uploaded(ids: readonly BinaryDataId[]): void {
    this.changed.fire({ kind: 'uploaded', ids });
  }
}

// Read like a stream, although all of it is there.
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
