import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { collectBounded } from '../../query/collectBounded';
import type { ReadingsQueries } from '../../query/readingsQueries';
import { pipelineQuestion, type Question, sqlQuestion } from './queryRequests';

type QueryOperations = Pick<
  ServiceImpl<typeof DataService>,
  'tabularDataBySQL' | 'tabularDataByMQL'
>;

/**
 * Runs queries on the readings of an organization (spec part 1, TabularDataBySQL and
 * TabularDataByMQL).
 */
export function queryHandlers({ queries }: { queries: ReadingsQueries }): QueryOperations {
  const answer = async ({ organizationId, query, recent }: Question, signal: AbortSignal) => ({
    rawData: await collectBounded(queries.run(organizationId, query, { recent }, signal)),
  });
  return {
    tabularDataBySQL: (request, { signal }) => answer(sqlQuestion(request), signal),

    tabularDataByMQL: async (request, { signal }) => answer(pipelineQuestion(request), signal),
  };
}
