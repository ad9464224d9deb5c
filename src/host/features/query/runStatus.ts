import { QueryFault } from '../../../core/query/queryFault';
import type { QueryProblem, ResultStatus } from '../../../shared/query/results';
import { hasLowerTimeBound } from './hasLowerTimeBound';
import type { AskedRun } from './querySession';

/** What is said of a failure besides its message, by its kind. */
export type AdviceOn = (kind: string) => string | undefined;

/** How far a query is, as its page is told. Places are those of the text as it was written. */
export function statusOf(
  asked: Pick<AskedRun, 'run' | 'placeOf'>,
  adviceOn: AdviceOn,
): ResultStatus {
  const { run } = asked;
  const { state, rows, bytes, firstRowMs, elapsedMs, columns, further } = run.status;
  const problem = problemOf(asked, adviceOn);
  return {
    ...{ result: run.id, state, rows, bytes, elapsedMs, columns, further },
    ...(firstRowMs !== undefined && { firstRowMs }),
    ...(problem && { problem }),
    // Only an empty result says so.
    ...(state === 'complete' && rows === 0 && { lacksTimeBound: !hasLowerTimeBound(run.query) }),
  };
}

/** Why a query failed; nothing when it did not. */
export function problemOf(
  { run, placeOf }: Pick<AskedRun, 'run' | 'placeOf'>,
  adviceOn: AdviceOn,
): QueryProblem | undefined {
  const { error } = run.status;
  if (!error) return undefined;
  const { kind, message, action } = error;
  const place = error instanceof QueryFault ? error.place : undefined;
  const advice = adviceOn(kind);
  return {
    message: advice === undefined ? message : `${message} ${advice}`,
    ...(action && { action }),
    ...(place && { start: placeOf(place.start, 'start'), end: placeOf(place.end, 'end') }),
  };
}
