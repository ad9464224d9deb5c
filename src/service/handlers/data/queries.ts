import type { ServiceImpl } from '@connectrpc/connect';
import {
  type DataService,
  type TabularDataByMQLRequest,
  type TabularDataBySQLRequest,
  TabularDataSourceType,
} from '../../../gen/viam/app/data/v1/data_pb';
import type { ReadingsQueries, ReadingsQuery } from '../../query/readingsQueries';
import { exhausted, invalid, unimplemented } from '../../errors';
import type {
  QueryService,
  StreamTabularDataRequest,
} from '../../../gen/fleetwright/query/v1/query_pb';
import { toStoreError } from '../../store/storeErrors';

type QueryOperations = Pick<
  ServiceImpl<typeof DataService>,
  'tabularDataBySQL' | 'tabularDataByMQL'
>;

/**
 * Runs queries on an organization's readings (spec part 1, TabularDataBySQL and TabularDataByMQL).
 */
export function queryHandlers({ queries }: { queries: ReadingsQueries }): QueryOperations {
  const answer = async (
    { organizationId, query, recent }: OrganizationQuery,
    signal: AbortSignal,
  ) => ({
    rawData: await collectBounded(queries.run(organizationId, query, { recent }, signal)),
  });
  return {
    tabularDataBySQL: (request, { signal }) => answer(toSqlQuery(request), signal),

    tabularDataByMQL: async (request, { signal }) => answer(toPipelineQuery(request), signal),
  };
}

/** Maximum message size that public clients accept. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Number of bytes before each document in the message. */
const BYTES_BEFORE = 5;
/**
 * Maximum number of documents. It is limited because each document requires more memory than its
 * bytes.
 */
const MAX_DOCUMENTS = 500_000;

/**
 * Collects documents for a response that is sent in one message. Aborts the source as soon as the
 * result is too large.
 * @throws ResourceExhausted
 */
async function collectBounded(documents: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const collected: Uint8Array[] = [];
  let bytes = 0;
  for await (const document of documents) {
    collected.push(document);
    bytes += document.byteLength + BYTES_BEFORE;
    if (bytes > MAX_BYTES || collected.length > MAX_DOCUMENTS) {
      throw exhausted(
        'the result is larger than 32 MiB or 500,000 rows: limit it, select fewer columns, or aggregate',
      );
    }
  }
  return collected;
}

/** Query in a request for an organization's readings. */
interface OrganizationQuery {
  organizationId: string;
  query: ReadingsQuery;
  /** True to query only recently stored readings. */
  recent: boolean;
}

/** @param exactValues as in `SqlJob` */
function toSqlQuery(
  { organizationId, sqlQuery }: TabularDataBySQLRequest,
  exactValues = false,
): OrganizationQuery {
  return { organizationId, query: { sql: sqlQuery, exactValues }, recent: false };
}

/** @throws Unimplemented or InvalidArgument for an unsupported data source. */
function toPipelineQuery(request: TabularDataByMQLRequest): OrganizationQuery {
  const recent = usesRecentData(request);
  if (request.queryPrefixName) {
    throw unimplemented(
      "this service doesn't store queries that could run before the pipeline: omit query_prefix_name and send all stages",
    );
  }
  const { organizationId, mqlBinary: stages } = request;
  return { organizationId, query: { stages }, recent };
}

function usesRecentData({ dataSource, useRecentData = false }: TabularDataByMQLRequest): boolean {
  switch (dataSource?.type) {
    case undefined:
    case TabularDataSourceType.UNSPECIFIED:
      return useRecentData;
    case TabularDataSourceType.STANDARD:
      return false;
    case TabularDataSourceType.HOT_STORAGE:
      return true;
    case TabularDataSourceType.PIPELINE_SINK:
      throw unimplemented(
        "this service doesn't run data pipelines, so there is no sink to read: use the data source STANDARD or HOT_STORAGE",
      );
    default:
      throw invalid('data_source.type is not known to this service');
  }
}

/**
 * Runs the same queries as the public wire protocol, but streams any number of rows as they are
 * produced. Produces more rows only after the caller has consumed the previous ones.
 */
export function queryStreamHandlers({
  queries,
}: {
  queries: ReadingsQueries;
}): ServiceImpl<typeof QueryService> {
  return {
    async *streamTabularData(request, { signal }) {
      const { organizationId, query, recent } = toStreamedQuery(request);
      try {
        for await (const documents of queries.runBatches(
          organizationId,
          query,
          { recent },
          signal,
        )) {
          yield { documents };
        }
      } catch (error) {
        // Interceptors don't see errors that a stream throws after the first response.
        throw toStoreError(error) ?? error;
      }
    },
  };
}

function toStreamedQuery({ query, exactValues }: StreamTabularDataRequest): OrganizationQuery {
  switch (query.case) {
    case 'sql':
      return toSqlQuery(query.value, exactValues);
    case 'mql':
      return toPipelineQuery(query.value);
    default:
      throw invalid('query: must be SQL or MQL');
  }
}
