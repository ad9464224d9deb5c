import type { JsonObject } from '@bufbuild/protobuf';
import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import type { CaptureFilter } from '../model/captureFilter';
import { captureFilterToWire } from '../model/captureFilterToWire';
import type { OrganizationId } from '../model/ids';
import { microsOfTimestamp, timestampOfMicros } from '../model/micros';
import { type Reading, type ReadingSeries, readingsFromWire } from '../model/reading';
import { CAPTURE_ORDERS, type CaptureOrder } from './captureOrder';

export interface ReadingsPageRequest {
  readonly filter: CaptureFilter;
  readonly order: CaptureOrder;
  /** Readings of the page, at most; a page of long readings ends sooner. */
  readonly limit: number;
  /** The `last` of the page before; absent for the first. */
  readonly after?: string | undefined;
}

export interface ReadingsPage {
  readonly readings: readonly Reading[];
  /** Marks the page's end. There is nothing further when the page is empty. */
  readonly last: string;
  /** How many the filter selects, over all pages. */
  readonly count: number;
}

export interface LatestReading {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly syncedAt: number | undefined;
  readonly data: JsonObject;
}

/** Microseconds since 1970, from the first moment to the one that is too late. */
export interface CaptureSpan {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** A reading of a series. */
export interface SeriesReading {
  readonly at: number;
  readonly tags: readonly string[];
  readonly data: JsonObject;
}

/** What has become of readings through this window. */
export interface ReadingsChange {
  readonly kind: 'uploaded' | 'deleted';
}

/** Captured readings. Nothing is kept here but the word of what was changed. Every method throws `FleetError`. */
export class ReadingsStore extends Disposable {
  private readonly changed = this.register(new Emitter<ReadingsChange>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly clients: LoadClients) {
    super();
  }

  /** How many readings a filter selects, exactly. */
  async count(filter: CaptureFilter, signal?: AbortSignal): Promise<number> {
    const { data } = await this.clients();
    const { count } = await data.tabularDataByFilter(
      { dataRequest: { filter: captureFilterToWire(filter) }, countOnly: true },
      withSignal(signal),
    );
    return Number(count);
  }

  async page(request: ReadingsPageRequest, signal?: AbortSignal): Promise<ReadingsPage> {
    const { filter, order, limit, after = '' } = request;
    const { data } = await this.clients();
    const answer = await data.tabularDataByFilter(
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

  /** The latest reading of a series; nothing when it has none, or none of the last year. */
  async latest(series: ReadingSeries, signal?: AbortSignal): Promise<LatestReading | undefined> {
    const { data } = await this.clients();
    const answer = await data.getLatestTabularData(seriesRequest(series), withSignal(signal));
    const { timeCaptured, timeSynced, payload } = answer;
    // "Nothing" is an empty message.
    if (!timeCaptured) return undefined;
    return {
      at: microsOfTimestamp(timeCaptured),
      syncedAt: timeSynced && microsOfTimestamp(timeSynced),
      data: payload ?? {},
    };
  }

  /** Every reading of a series, oldest first, until the signal is aborted. */
  async *export(
    series: ReadingSeries,
    { start, end }: CaptureSpan,
    signal: AbortSignal,
  ): AsyncGenerator<SeriesReading> {
    const { data } = await this.clients();
    const interval = {
      ...(start !== undefined && { start: timestampOfMicros(start) }),
      ...(end !== undefined && { end: timestampOfMicros(end) }),
    };
    const request = { ...seriesRequest(series), interval };
    for await (const { timeCaptured, tags, payload } of data.exportTabularData(request, {
      signal,
    })) {
      const at = timeCaptured ? microsOfTimestamp(timeCaptured) : 0;
      yield { at, tags, data: payload ?? {} };
    }
  }

  /**
   * Deletes the readings of an organization that are older than so many whole UTC days; of all ages for 0.
   * @returns how many are gone.
   */
  async deleteOlderThan(organization: OrganizationId, days: number): Promise<number> {
    const { data } = await this.clients();
    const answer = await data.deleteTabularData({
      organizationId: organization,
      deleteOlderThanDays: days,
    });
    this.changed.fire({ kind: 'deleted' });
    return Number(answer.deletedCount);
  }

  /** Tells everyone that readings came, which something else than this store has uploaded. */
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
