import type { ServiceImpl } from '@connectrpc/connect';
import { sql } from 'kysely';
import {
  type DataRequest,
  type DataService,
  type ExportTabularDataRequest,
  Order,
} from '../../../gen/viam/app/data/v1/data_pb';
import type { ReadingsLake } from '../../lake/readingsLake';
import type { ReadingsReader } from '../../lake/readingsReader';
import {
  captureMetadataMessage,
  exportMessage,
  parameterLines,
  parsePayload,
  requiresBinaryData,
  tabularDataMessage,
  toDeletionConditions,
  toResourceConditions,
  toSeriesConditions,
  toTimeRange,
} from '../../messages/tabularMessages';
import { INTERNAL_KINDS } from '../../messages/dataMessages';
import { startOfDay, toUtcDay } from '../../store/data/dayCounts';
import { lastReadingId } from '../../store/data/lakeManifest';
import { deleteReadings } from '../../store/data/readingsDeletion';
import {
  findSeries,
  hasSeries,
  type ReadingsEnd,
  type ReadingsPage,
} from '../../store/data/readingsPages';
import {
  dateFromMicros,
  type Micros,
  microsFromDate,
  timestampFromMicros,
} from '../../store/micros';
import { getCaller, type HandlerDependencies } from '../handlerSupport';
import { READ_DATA, readScope } from './dataAccess';
import { createRowPageTokens, pageLimit } from '../../messages/paging';
import type { StoreAccess } from '../../store/store';
import {
  type ReadingSelection,
  type SeriesFilter,
  selectMatchingIds,
} from '../../store/data/readingsFilter';
import type { DataScope } from '../../store/data/dataScope';
import { toStoreError } from '../../store/storeErrors';
import { requirePermission } from '../../auth/authorizer';
import type { Principal } from '../../auth/principal';
import { resolvePath } from '../../store/resourcePath';

type TabularOperations = Pick<
  ServiceImpl<typeof DataService>,
  'getLatestTabularData' | 'tabularDataByFilter' | 'deleteTabularData'
>;

/** Dependencies for finding and deleting readings. */
interface ReadingsDependencies extends HandlerDependencies {
  lake: ReadingsLake;
  readings: ReadingsReader;
}

/** Finds and deletes readings (spec part 1, retrieval and deletion operations). */
export function tabularDataHandlers({
  store,
  now,
  lake,
  readings,
}: ReadingsDependencies): TabularOperations {
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
      if (day === undefined) return {};
      const time = { start: startOfDay(day), end: startOfDay(day + 1), storedFrom };
      const {
        rows: [latest],
      } = await readings.readPage({ series, ...time }, NEWEST, context.signal);
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
      if (requiresBinaryData(filter)) return { last: dataRequest?.last ?? '' };
      const selection = {
        series: {
          ...toSeriesConditions(filter),
          scopes: [await readScope(store, getCaller(context))],
          withoutKinds: includeInternalData ? [] : INTERNAL_KINDS,
        },
        ...toTimeRange(filter?.interval),
      };
      const { count, bytes } = await readings.count(selection, context.signal);
      const total = { count: BigInt(count), totalSizeBytes: BigInt(bytes) };
      if (countOnly) return total;
      const { rows, end } = await readings.readPage(selection, page, context.signal);
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

/** Limits on the page size. Callers can continue with the next page. */
const LIMITS = { byDefault: 50, max: 10_000 };
/**
 * Maximum size of the JSON in a response. The encoded response, which is limited to 32 MiB, is
 * larger than the JSON.
 */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const TOKENS = createRowPageTokens('t');

/**
 * Parses a request's paging fields. Clients send a limit of 0 to request the default.
 * @throws InvalidArgument if this service didn't issue `last`.
 */
function readingsPage(request: DataRequest | undefined): ReadingsPage {
  const { limit = 0n, last = '', sortOrder = Order.UNSPECIFIED } = request ?? {};
  return {
    oldestFirst: sortOrder === Order.ASCENDING,
    after: parseLastToken(last),
    limit: pageLimit(limit, LIMITS),
    maxBytes: MAX_PAGE_BYTES,
  };
}

/** Returns the `last` token for a page. */
function createLastToken({ requestedAt, id }: ReadingsEnd): string {
  return TOKENS.create({ at: requestedAt, id });
}

function parseLastToken(last: string): ReadingsEnd | undefined {
  const end = TOKENS.parse(last, 'data_request.last');
  return end && { requestedAt: end.at, id: end.id };
}

/** Returns the latest capture day among readings stored since a given time. */
async function latestDay(
  access: StoreAccess,
  series: SeriesFilter,
  storedFrom: Micros,
): Promise<number | undefined> {
  const { rows } = await sql<{ day: number | null }>`select max(day) as day from reading_days
    where series_id in ${selectMatchingIds(series)} and last_synced_at >= ${storedFrom}`.execute(
    access,
  );
  return rows[0]?.day ?? undefined;
}

/** Number of rows per read. It limits the memory that an export uses. */
const PAGE_ROWS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Streams every reading from one resource and method that was stored before the call, oldest first
 * (spec part 1, ExportTabularData). Applies backpressure: reads more readings only after the caller
 * has consumed the previous ones.
 */
export function tabularExportHandler({
  store,
  readings,
}: ReadingsDependencies): Pick<ServiceImpl<typeof DataService>, 'exportTabularData'> {
  return {
    async *exportTabularData(request, context) {
      try {
        const scope = await requireReadablePart(store, getCaller(context), request.partId);
        const selection = toSelection(request, scope, await lastReadingId(store));
        let after: ReadingsEnd | undefined;
        do {
          context.signal.throwIfAborted();
          const page = { oldestFirst: true, after, limit: PAGE_ROWS, maxBytes: PAGE_BYTES };
          const { rows, end } = await readings.readPage(selection, page, context.signal);
          const series = await findSeries(store, rows);
          after = end;
          for (const row of rows) {
            const captured = series.get(row.series_id);
            if (captured !== undefined) yield exportMessage(row, captured);
          }
        } while (after !== undefined);
      } catch (error) {
        // Interceptors don't see errors that a stream throws after the first response.
        throw toStoreError(error) ?? error;
      }
    },
  };
}

function toSelection(
  request: ExportTabularDataRequest,
  scope: DataScope,
  throughId: number,
): ReadingSelection {
  const { interval, additionalParameters } = request;
  return {
    series: {
      ...toResourceConditions(request),
      scopes: [scope],
      parameters: parameterLines(additionalParameters ?? {}),
    },
    ...toTimeRange(interval),
    throughId,
  };
}

/**
 * Returns the scope in which the caller can read data, if it contains this part. A deleted part's
 * data remains readable for callers who can read all data captured at the part's location.
 * @throws NotFound if the part doesn't exist or the caller can't see it, PermissionDenied if the
 *   caller can't read the part's data.
 */
async function requireReadablePart(
  access: StoreAccess,
  principal: Principal,
  partId: string,
): Promise<DataScope> {
  const scope = await readScope(access, principal);
  const part = { type: 'part', id: partId } as const;
  const left = { scopes: [scope], columns: [{ column: 'part_id', anyOf: [partId] }] } as const;
  const isGone = (await resolvePath(access, part)) === undefined;
  if (!isGone || !(await hasSeries(access, left))) {
    await requirePermission(access, principal, READ_DATA, part);
  }
  return scope;
}
