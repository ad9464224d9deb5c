import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import type { ReadingsLake } from '../../lake/readingsLake';
import {
  requiresBinaryData,
  captureMetadataMessage,
  toDeletionConditions,
  toTimeRange,
  parsePayload,
  toResourceConditions,
  toSeriesConditions,
  tabularDataMessage,
} from '../../messages/tabularMessages';
import { INTERNAL_KINDS } from '../../messages/dataMessages';
import { parameterLines } from '../../messages/methodParameters';
import { countReadings, latestDay } from '../../store/data/readingsCounts';
import { toUtcDay, startOfDay } from '../../store/data/readingsDays';
import { lastReadingId } from '../../store/data/lakeManifest';
import { deleteReadings } from '../../store/data/readingsDeletion';
import { findSeries, readReadingsPage } from '../../store/data/readingsPages';
import {
  dateFromMicros,
  microsFromDate,
  type Micros,
  timestampFromMicros,
} from '../../store/micros';
import { getCaller, type HandlerDependencies } from '../handlerSupport';
import { readScope } from './dataAccess';
import { requireReadablePart } from './tabularAccess';
import { createLastToken, readingsPage } from './tabularPages';

type TabularOperations = Pick<
  ServiceImpl<typeof DataService>,
  'getLatestTabularData' | 'tabularDataByFilter' | 'deleteTabularData'
>;

/** Finds and deletes readings (spec part 1, retrieval and deletion operations). */
export function tabularDataHandlers({
  store,
  now,
  lake,
}: HandlerDependencies & { lake: ReadingsLake }): TabularOperations {
  return {
    async getLatestTabularData(request, context) {
      const scope = await requireReadablePart(store, getCaller(context), request.partId);
      const series = {
        ...toResourceConditions(request),
        scopes: [scope],
        parameters: parameterLines(request.additionalParameters ?? {}),
      };
      const storedFrom = yearBefore(now());
      const day = await latestDay(store, series, storedFrom);
      if (day === undefined) {
        return {};
      }
      const time = { start: startOfDay(day), end: startOfDay(day + 1), storedFrom };
      const {
        rows: [latest],
      } = await readReadingsPage(store, { series, ...time }, NEWEST);
      return latest === undefined
        ? {}
        : {
            timeCaptured: timestampFromMicros(latest.requested_at),
            timeSynced: timestampFromMicros(latest.synced_at),
            payload: parsePayload(latest),
          };
    },

    async tabularDataByFilter({ dataRequest, countOnly, includeInternalData }, context) {
      const page = readingsPage(dataRequest);
      const filter = dataRequest?.filter;
      if (requiresBinaryData(filter)) {
        return { last: dataRequest?.last ?? '' };
      }
      const selection = {
        series: {
          ...toSeriesConditions(filter),
          scopes: [await readScope(store, getCaller(context))],
          withoutKinds: includeInternalData ? [] : INTERNAL_KINDS,
        },
        ...toTimeRange(filter?.interval),
      };
      const { count, bytes } = await countReadings(store, selection);
      const total = { count: BigInt(count), totalSizeBytes: BigInt(bytes) };
      if (countOnly) {
        return total;
      }
      const { rows, end } = await readReadingsPage(store, selection, page);
      const series = await findSeries(store, rows);
      const ids = [...series.keys()];
      const indexes = new Map(ids.map((id, index) => [id, index]));
      return {
        ...total,
        metadata: [...series.values()].map(captureMetadataMessage),
        data: rows.map((row) => tabularDataMessage(row, indexes.get(row.series_id) ?? 0)),
        last: end === undefined ? (dataRequest?.last ?? '') : createLastToken(end),
      };
    },

    async deleteTabularData({ organizationId, deleteOlderThanDays, filter }, { signal }) {
      const deletion = {
        series: { ...toDeletionConditions(organizationId, filter), scopes: [] },
        organizationId,
        beforeDay: deleteOlderThanDays === 0 ? undefined : toUtcDay(now()) - deleteOlderThanDays,
        throughId: await lastReadingId(store),
      };
      try {
        return { deletedCount: BigInt(await deleteReadings(store, deletion, signal)) };
      } finally {
        lake.readingsDeleted(organizationId);
      }
    },
  };
}

const NEWEST = { oldestFirst: false, after: undefined, limit: 1, maxBytes: 0 };

/** Returns the time one calendar year earlier. */
function yearBefore(timestamp: Micros): Micros {
  const date = dateFromMicros(timestamp);
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return microsFromDate(date);
}
