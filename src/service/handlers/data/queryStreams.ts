import type { ServiceImpl } from '@connectrpc/connect';
import type {
  QueryService,
  StreamTabularDataRequest,
} from '../../../gen/fleetwright/query/v1/query_pb';
import { invalid } from '../../errors';
import type { ReadingsQueries } from '../../query/readingsQueries';
import { storeFaultOf } from '../../store/storeErrors';
import { pipelineQuestion, type Question, sqlQuestion } from './queryRequests';

/**
 * Answers the same questions as the public wire while their rows are made, whatever their number. The next
 * ones are made when the caller has taken those before.
 */
export function queryStreamHandlers({
  queries,
}: {
  queries: ReadingsQueries;
}): ServiceImpl<typeof QueryService> {
  return {
    async *streamTabularData(request, { signal }) {
      const { organizationId, query, recent } = questionOf(request);
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
        // A stream passes no interceptor that sees what goes wrong after the first answer.
        throw storeFaultOf(error) ?? error;
      }
    },
  };
}

function questionOf({ query, exactValues }: StreamTabularDataRequest): Question {
  switch (query.case) {
    case 'sql':
      return sqlQuestion(query.value, exactValues);
    case 'mql':
      return pipelineQuestion(query.value);
    default:
      throw invalid('query: must be SQL or MQL');
  }
}
