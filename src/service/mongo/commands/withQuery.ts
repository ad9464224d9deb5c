import { onAbort } from '../../../base/cancellation';
import { numberField } from '../commandFields';
import type { ReadingsPipelines } from '../readingsPipelines';
import { RunningQuery } from '../runningQuery';
import type { UserCall } from './command';

/**
 * Runs a pipeline over the readings of the user's organization, and works on what it answers. The
 * query ends when the client goes away in the meantime, and when the work fails.
 */
export async function withQuery<T>(
  queries: ReadingsPipelines,
  { user, state, request }: UserCall,
  stages: readonly Uint8Array[],
  work: (query: RunningQuery) => Promise<T>,
): Promise<T> {
  const { organizationId } = user;
  const query = new RunningQuery(
    (signal) => queries.run(organizationId, { stages }, { recent: false }, signal),
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
