import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultStatus } from '../../../shared/query/results';
import type { ResultStrings } from '../../../shared/query/resultStrings';
import type { CellRun } from './cellResults';

/** Services for showing query results, in notebooks and in the query panel. */
export interface ResultServices {
  readonly handlers: HostHandlers<ResultProtocol>;
  readonly strings: ResultStrings;
  /** Returns the status of a query for the page that shows its result. */
  readonly getStatus: (cellRun: CellRun) => ResultStatus;
}

/** Loads the services for the first result. */
export type LoadResultServices = () => Promise<ResultServices>;
