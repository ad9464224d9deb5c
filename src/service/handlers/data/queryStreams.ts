import type { ServiceImpl } from '@connectrpc/connect';
import type {
  QueryService,
  StreamTabularDataRequest,
} from '../../../gen/fleetwright/query/v1/query_pb';
import { invalid } from '../../errors';
import type { ReadingsQueries } from '../../query/readingsQueries';
import { toStoreError } from '../../store/storeErrors';
import { pipelineQuestion, type Question, sqlQuestion } from './queryRequests';

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
      const { organizationId, query, recent } = toQuestion(request);
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

function toQuestion({ query, exactValues }: StreamTabularDataRequest): Question {
  switch (query.case) {
    case 'sql':
      return sqlQuestion(query.value, exactValues);
    case 'mql':
      return pipelineQuestion(query.value);
    default:
      throw invalid('query: must be SQL or MQL');
  }
}
