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
  asked: Pick<RequestedRun, 'run' | 'placeOf'>,
  adviceOn: AdviceOn,
): ResultStatus {
  const { run } = asked;
  const { state, rows, bytes, firstRowMs, elapsedMs, columns, further } = run.status;
  const problem = toQueryProblem(asked, adviceOn);
  return {
    ...{ result: run.id, state, rows, bytes, elapsedMs, columns, further },
    ...(firstRowMs !== undefined && { firstRowMs }),
    ...(problem && { problem }),
    // The page mentions a missing time bound only for an empty result.
    ...(state === 'complete' && rows === 0 && { lacksTimeBound: !hasLowerTimeBound(run.query) }),
  };
}

/** Returns the error of a failed query; undefined for other queries. */
export function toQueryProblem(
  { run, placeOf }: Pick<RequestedRun, 'run' | 'placeOf'>,
  adviceOn: AdviceOn,
): QueryProblem | undefined {
  const { error } = run.status;
  if (!error) return undefined;
  const { kind, message, action } = error;
  const place = error instanceof QueryError ? error.place : undefined;
  const advice = adviceOn(kind);
  return {
    message: advice === undefined ? message : `${message} ${advice}`,
    ...(action && { action }),
    ...(place && { start: placeOf(place.start, 'start'), end: placeOf(place.end, 'end') }),
  };
}
