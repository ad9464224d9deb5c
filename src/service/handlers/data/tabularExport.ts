import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService, ExportTabularDataRequest } from '../../../gen/viam/app/data/v1/data_pb';
import { parameterLines } from '../../messages/methodParameters';
import { exportMessage, toResourceConditions, toTimeRange } from '../../messages/tabularMessages';
import type { DataScope } from '../../store/data/dataScope';
import type { ReadingSelection } from '../../store/data/readingsFilter';
import { findSeries, readReadingsPage, type ReadingsEnd } from '../../store/data/readingsPages';
import type { Micros } from '../../store/micros';
import { toStoreError } from '../../store/storeErrors';
import { getCaller, type HandlerDependencies } from '../handlerSupport';
import { requireReadablePart } from './tabularAccess';

/** Number of rows per read. It limits the memory that an export uses. */
const PAGE_ROWS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Streams every reading of one resource and method that was stored before the call, oldest first
 * (spec part 1, ExportTabularData). Applies back pressure: reads more readings only after the
 * caller has consumed the previous ones.
 */
export function tabularExportHandler({
  store,
  now,
}: HandlerDependencies): Pick<ServiceImpl<typeof DataService>, 'exportTabularData'> {
  return {
    async *exportTabularData(request, context) {
      try {
        const scope = await requireReadablePart(store, getCaller(context), request.partId);
        const selection = toSelection(request, scope, now());
        let after: ReadingsEnd | undefined;
        do {
          context.signal.throwIfAborted();
          const page = { oldestFirst: true, after, limit: PAGE_ROWS, maxBytes: PAGE_BYTES };
          const { rows, end } = await readReadingsPage(store, selection, page);
          const series = await findSeries(store, rows);
          after = end;
          for (const row of rows) {
            const captured = series.get(row.series_id);
            if (captured !== undefined) {
              yield exportMessage(row, captured);
            }
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
  storedBefore: Micros,
): ReadingSelection {
  const { interval, additionalParameters } = request;
  return {
    series: {
      ...toResourceConditions(request),
      scopes: [scope],
      parameters: parameterLines(additionalParameters ?? {}),
    },
    ...toTimeRange(interval),
    storedBefore,
  };
}
