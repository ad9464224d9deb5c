import type { JsonObject } from '@bufbuild/protobuf';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type FleetClients, withSignal } from '../api/fleetClients';
import {
  CAPTURE_ORDERS,
  type CaptureFilter,
  captureFilterToWire,
  type CaptureOrder,
} from '../model/captureFilter';
import type { OrganizationId } from '../model/ids';
import { microsToTimestamp, timestampToMicros } from '../model/timestamp';
import { type Reading, type ReadingSeries, readingsFromWire } from '../model/reading';

export interface ReadingsPageRequest {
  readonly filter: CaptureFilter;
  readonly order: CaptureOrder;
  /** Maximum number of readings in the page. A page with long readings contains fewer. */
  readonly limit: number;
  /** `last` of the previous page; absent for the first page. */
  readonly after?: string | undefined;
}

export interface ReadingsPage {
  readonly readings: readonly Reading[];
  /** Token for the end of the page. If the page is empty, there are no more readings. */
  readonly last: string;
  /** Total number of matches on all pages. */
  readonly count: number;
}

export interface LatestReading {
  /** Time of capture in microseconds since 1970. */
  readonly at: number;
  readonly syncedAt: number | undefined;
  readonly data: JsonObject;
}

/** Time range in microseconds since 1970; the end is exclusive. */
export interface CaptureSpan {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Reading of a series. */
export interface SeriesReading {
  readonly at: number;
  readonly tags: readonly string[];
  readonly data: JsonObject;
}

/** Change that this window made to readings. */
export interface ReadingsChange {
  readonly kind: 'uploaded' | 'deleted';
}

/** Captured readings. Caches nothing and only reports changes. Methods throw `FleetError`. */
export class ReadingsStore extends Disposable {
  private readonly changed = this.register(new Emitter<ReadingsChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: FleetClients) {
    super();
  }

  /** Returns the exact number of readings that match a filter. */
  async count(filter: CaptureFilter, signal?: AbortSignal): Promise<number> {
    const { count } = await this.clients.data.tabularDataByFilter(
      { dataRequest: { filter: captureFilterToWire(filter) }, countOnly: true },
      withSignal(signal),
    );
    return Number(count);
  }

  async page(request: ReadingsPageRequest, signal?: AbortSignal): Promise<ReadingsPage> {
    const { filter, order, limit, after = '' } = request;
    const answer = await this.clients.data.tabularDataByFilter(
      {
        dataRequest: {
          filter: captureFilterToWire(filter),
          limit: BigInt(limit),
          last: after,
          sortOrder: CAPTURE_ORDERS[order],
        },
      },
      withSignal(signal),
    );
    return {
      readings: readingsFromWire(answer.data, answer.metadata),
      last: answer.last,
      count: Number(answer.count),
    };
  }

  /** Returns the latest reading in a series; undefined if there is none in the last year. */
  async latest(series: ReadingSeries, signal?: AbortSignal): Promise<LatestReading | undefined> {
    const answer = await this.clients.data.getLatestTabularData(
      seriesRequest(series),
      withSignal(signal),
    );
    const { timeCaptured, timeSynced, payload } = answer;
    // An empty message means that there is no reading.
    if (!timeCaptured) return undefined;
    return {
      at: timestampToMicros(timeCaptured),
      syncedAt: timeSynced && timestampToMicros(timeSynced),
      data: payload ?? {},
    };
  }

  /** Yields all readings in a series, oldest first, until the signal aborts. */
  async *export(
    series: ReadingSeries,
    { start, end }: CaptureSpan,
    signal: AbortSignal,
  ): AsyncGenerator<SeriesReading> {
    const interval = {
      ...(start !== undefined && { start: microsToTimestamp(start) }),
      ...(end !== undefined && { end: microsToTimestamp(end) }),
    };
    const request = { ...seriesRequest(series), interval };
    for await (const { timeCaptured, tags, payload } of this.clients.data.exportTabularData(
      request,
      {
        signal,
      },
    )) {
      const at = timeCaptured ? timestampToMicros(timeCaptured) : 0;
      yield { at, tags, data: payload ?? {} };
    }
  }

  /**
   * Deletes an organization's readings that are older than this number of whole UTC days; 0 deletes
   * all readings.
   * @returns the number of deleted readings.
   */
  async deleteOlderThan(organization: OrganizationId, days: number): Promise<number> {
    const answer = await this.clients.data.deleteTabularData({
      organizationId: organization,
      deleteOlderThanDays: days,
    });
    this.changed.fire({ kind: 'deleted' });
    return Number(answer.deletedCount);
  }

  /** Notifies listeners of new readings that were uploaded without this store. */
  uploaded(): void {
    this.changed.fire({ kind: 'uploaded' });
  }
}

function seriesRequest({ partId, componentName, componentType, method }: ReadingSeries): {
  partId: string;
  resourceName: string;
  resourceSubtype: string;
  methodName: string;
} {
  return {
    partId,
    resourceName: componentName,
    resourceSubtype: componentType,
    methodName: method,
  };
}
