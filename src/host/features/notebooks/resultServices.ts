import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultStatus } from '../../../shared/query/results';
import type { ResultStrings } from '../../../shared/query/resultStrings';
import type { CellRun } from './cellResults';

/** What shows results of queries, in notebooks as in the query panel. */
export interface ResultServices {
  readonly handlers: HostHandlers<ResultProtocol>;
  readonly strings: ResultStrings;
  /** How far a query is, as its page is told. */
  readonly statusOf: (asked: CellRun) => ResultStatus;
}

/** Loads it when the first result is shown. */
export type LoadResultServices = () => Promise<ResultServices>;
