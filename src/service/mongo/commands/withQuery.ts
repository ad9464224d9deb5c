import { deserialize } from 'bson';
import { onAbort } from '../../../base/cancellation';
import { numberField } from '../commandFields';
import type { PipelineQuery, ReadingsPipelines } from '../readingsPipelines';
import { COUNT_FIELD } from '../queryStages';
import { RunningQuery } from '../runningQuery';
import type { UserCall } from './command';

/**
 * Runs a pipeline over the readings of the user's organization and processes its documents. The
 * query is aborted when the client disconnects or the processing fails.
 */
export async function withQuery<T>(
  queries: ReadingsPipelines,
  { user, state, request }: UserCall,
  pipeline: Omit<PipelineQuery, 'hasIds'>,
  work: (query: RunningQuery) => Promise<T>,
): Promise<T> {
  const { organizationId } = user;
  const query = new RunningQuery(
    (signal) =>
      queries.run(organizationId, { ...pipeline, hasIds: true }, { recent: false }, signal),
    numberField(request.fields, 'maxTimeMS', 0),
  );
  const following = onAbort(state.signal, () => void query.end());
  try {
    return await work(query);
  } catch (error) {
    await query.end();
    throw error;
  } finally {
    following.dispose();
  }
}

/** Reads the result of `countStages` and ends the query. */
export async function readCount(query: RunningQuery): Promise<number> {
  const result = await query.next();
  await query.end();
  const count: unknown = result === undefined ? 0 : deserialize(result)[COUNT_FIELD];
  return Number(count);
}
