import {
  type TabularDataByMQLRequest,
  type TabularDataBySQLRequest,
  TabularDataSourceType,
} from '../../../gen/viam/app/data/v1/data_pb';
import { invalid, unimplemented } from '../../errors';
import type { ReadingsQuery } from '../../query/readingsQueries';

/** Query in a request for the readings of an organization. */
export interface Question {
  organizationId: string;
  query: ReadingsQuery;
  /** True to query only recently stored readings. */
  recent: boolean;
}

/** @param exactValues as in `SqlJob` */
export function sqlQuestion(
  { organizationId, sqlQuery }: TabularDataBySQLRequest,
  exactValues = false,
): Question {
  return { organizationId, query: { sql: sqlQuery, exactValues }, recent: false };
}

/** @throws Unimplemented or InvalidArgument for an unsupported data source. */
export function pipelineQuestion(request: TabularDataByMQLRequest): Question {
  const recent = wantsRecent(request);
  if (request.queryPrefixName) {
    throw unimplemented(
      "this service doesn't store queries that could run before the pipeline: omit query_prefix_name and send all stages",
    );
  }
  const { organizationId, mqlBinary: stages } = request;
  return { organizationId, query: { stages }, recent };
}

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
        "this service doesn't run data pipelines, so there is no sink to read: use the data source STANDARD or HOT_STORAGE",
      );
    default:
      throw invalid('data_source.type is not known to this service');
  }
}
