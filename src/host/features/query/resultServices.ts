import type { ResultStrings } from '../../../shared/query/resultStrings';
import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultStatus } from '../../../shared/query/results';
import type { RequestedRun } from './querySession';
import type { ResultTools } from './results/resultHandlers';

/** Services for showing query results outside of a query panel. */
export interface ResultServices {
  readonly handlers: HostHandlers<ResultProtocol>;
  readonly strings: ResultStrings;
  /** Returns the status of a query for the page that shows its result. */
  readonly getStatus: (requestedRun: Pick<RequestedRun, 'run' | 'mapOffset'>) => ResultStatus;
}

/** Loads the services for the first result. */
export async function loadResultServices(tools: ResultTools): Promise<ResultServices> {
  const [{ resultHandlers }, { resultStrings }, { toResultStatus: toStatus }, { adviceOn }] =
    await Promise.all([
      import('./results/resultHandlers'),
      import('./resultStrings'),
      import('./runStatus'),
      import('./trouble'),
    ]);
  return {
    handlers: resultHandlers(tools),
    strings: resultStrings(),
    getStatus: (requestedRun) => toStatus(requestedRun, adviceOn),
  };
}
