import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { boundedAnswer } from '../../query/boundedAnswer';
import type { ReadingsQueries } from '../../query/readingsQueries';

type QueryOperations = Pick<ServiceImpl<typeof DataService>, 'tabularDataBySQL'>;

/** Answers questions about the readings of an organization (spec part 1, TabularDataBySQL). */
export function queryHandlers({ queries }: { queries: ReadingsQueries }): QueryOperations {
  return {
    async tabularDataBySQL({ organizationId, sqlQuery }, { signal }) {
      const rows = queries.run(organizationId, { sql: sqlQuery }, { recent: false }, signal);
      return { rawData: await boundedAnswer(rows) };
    },
  };
}
