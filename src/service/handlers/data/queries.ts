import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import type { ReadingsQueries } from '../../query/readingsQueries';
import { pipelineQuestion, type Question, sqlQuestion } from './queryRequests';
import { exhausted } from '../../errors';

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

/** Maximum message size that public clients accept. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Number of bytes before each document in the message. */
const BYTES_BEFORE = 5;
/**
 * Maximum number of documents. It is limited because each document uses memory in addition to its
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
