import type { ResultStrings } from '../../../shared/query/resultStrings';
import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultStatus } from '../../../shared/query/results';
import type { AskedRun } from './querySession';
import type { ResultTools } from './results/resultHandlers';

/** What shows results of queries elsewhere than in a query panel. */
export interface ResultServices {
  readonly handlers: HostHandlers<ResultProtocol>;
  readonly strings: ResultStrings;
  /** How far a query is, as its page is told. */
  readonly statusOf: (asked: Pick<AskedRun, 'run' | 'placeOf'>) => ResultStatus;
}

/** Loads it, when the first result is shown. */
export async function loadResultServices(tools: ResultTools): Promise<ResultServices> {
  const [{ resultHandlers }, { resultStrings }, { statusOf }, { adviceOn }] = await Promise.all([
    import('./results/resultHandlers'),
    import('./resultStrings'),
    import('./runStatus'),
    import('./trouble'),
  ]);
  return {
    handlers: resultHandlers(tools),
    strings: resultStrings(),
    statusOf: (asked) => statusOf(asked, adviceOn),
  };
}
