import { QueryError } from '../../../core/query/queryError';
import type { QueryProblem, ResultStatus } from '../../../shared/query/results';
import { hasLowerTimeBound } from './hasLowerTimeBound';
import type { RequestedRun } from './querySession';

/** Returns additional advice for a kind of error. */
export type AdviceOn = (kind: string) => string | undefined;

/**
 * Returns the status of a query for the page that shows its result. Offsets refer to the original
 * text.
 */
export function toResultStatus(
  requestedRun: Pick<RequestedRun, 'run' | 'mapOffset'>,
  adviceOn: AdviceOn,
): ResultStatus {
  const { run } = requestedRun;
  const { state, rows, bytes, firstRowMs, elapsedMs, columns, hasOverflow: further } = run.status;
  const problem = toQueryProblem(requestedRun, adviceOn);
  return {
    ...{ result: run.id, state, rows, bytes, elapsedMs, columns, hasOverflow: further },
    ...(firstRowMs !== undefined && { firstRowMs }),
    ...(problem && { problem }),
    // The page mentions a missing time bound only for an empty result.
    ...(state === 'complete' && rows === 0 && { lacksTimeBound: !hasLowerTimeBound(run.query) }),
  };
}

/** Returns the error of a failed query; undefined for other queries. */
export function toQueryProblem(
  { run, mapOffset: placeOf }: Pick<RequestedRun, 'run' | 'mapOffset'>,
  adviceOn: AdviceOn,
): QueryProblem | undefined {
  const { error } = run.status;
  if (!error) return undefined;
  const { kind, message, action } = error;
  const range = error instanceof QueryError ? error.range : undefined;
  const advice = adviceOn(kind);
  return {
    message: advice === undefined ? message : `${message} ${advice}`,
    ...(action && { action }),
    ...(range && { start: placeOf(range.start, 'start'), end: placeOf(range.end, 'end') }),
  };
}
