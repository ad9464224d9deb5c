import type { ServiceImpl } from '@connectrpc/connect';
import {
  type DataService,
  type TabularDataByMQLRequest,
  TabularDataSourceType,
} from '../../../gen/viam/app/data/v1/data_pb';
import { invalid, unimplemented } from '../../errors';
import { boundedAnswer } from '../../query/boundedAnswer';
import type { ReadingsQueries } from '../../query/readingsQueries';

type QueryOperations = Pick<
  ServiceImpl<typeof DataService>,
  'tabularDataBySQL' | 'tabularDataByMQL'
>;

/**
 * Answers questions about the readings of an organization (spec part 1, TabularDataBySQL and
 * TabularDataByMQL).
 */
export function queryHandlers({ queries }: { queries: ReadingsQueries }): QueryOperations {
  return {
    async tabularDataBySQL({ organizationId, sqlQuery }, { signal }) {
      const rows = queries.run(organizationId, { sql: sqlQuery }, { recent: false }, signal);
      return { rawData: await boundedAnswer(rows) };
    },

    async tabularDataByMQL(request, { signal }) {
      const recent = wantsRecent(request);
      if (request.queryPrefixName) {
        throw unimplemented(
          'this service keeps no queries that could go before the pipeline: leave out query_prefix_name and send all stages',
        );
      }
      const { organizationId, mqlBinary: stages } = request;
      const documents = queries.run(organizationId, { stages }, { recent }, signal);
      return { rawData: await boundedAnswer(documents) };
    },
  };
}

/** Whether a pipeline reads what was stored of late, or everything. */
function wantsRecent({ dataSource, useRecentData = false }: TabularDataByMQLRequest): boolean {
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
        'this service runs no data pipelines, so that there is no sink to read: ask the data source STANDARD or HOT_STORAGE',
      );
    default:
      throw invalid('data_source.type is none that this service knows');
  }
}
