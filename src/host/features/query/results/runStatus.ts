import { isRecord } from '../../../../base/isRecord';
import { fillText } from '../../../../core/query/language/parameterSlots';
import { QueryError } from '../../../../core/query/queryError';
import type { QueryProblem, ResultStatus } from '../../../../shared/query/results';
import type { RequestedRun } from '../querySession';
import type { FleetQuery } from '../../../../core/model/query';
import { sqlTokens } from '../../../../core/model/sqlTokens';

/** Returns additional advice for a kind of error. */
export type AdviceOn = (kind: string) => string | undefined;

/**
 * Returns a query's status for the page that shows its result. Offsets refer to the original text.
 */
export function toResultStatus(
  requestedRun: Pick<RequestedRun, 'run' | 'mapOffset'>,
  adviceOn: AdviceOn,
): ResultStatus {
  const { run } = requestedRun;
  const { state, rows, bytes, firstRowMs, elapsedMs, columns, hasOverflow } = run.status;
  const problem = toQueryProblem(requestedRun, adviceOn);
  return {
    result: run.id,
    state,
    rows,
    bytes,
    elapsedMs,
    columns,
    hasOverflow,
    ...(firstRowMs !== undefined && { firstRowMs }),
    ...(problem && { problem }),
    // The page mentions a missing time bound only for an empty result.
    ...(state === 'complete' &&
      rows === 0 && { isMissingTimeBound: !hasLowerTimeBound(run.query) }),
  };
}

/** Returns the error from a failed query; undefined for other queries. */
export function toQueryProblem(
  { run, mapOffset }: Pick<RequestedRun, 'run' | 'mapOffset'>,
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
    ...(range && { start: mapOffset(range.start, 'start'), end: mapOffset(range.end, 'end') }),
  };
}

const COLUMN = 'time_received';
/** Matches the column, possibly within a function or a cast, followed by a lower bound. */
const COLUMN_FIRST =
  /\btime_received"?(?:\s|\)|::\s*\w+|\bas\s+\w+)*(?:>=?|==?|\bbetween\b|\bin\b)/i;
/** Matches a lower bound followed by the column. */
const BOUND_FIRST = /(?:<=?|[^<>!=]=)\s*(?:\w+\(\s*)*(?:\w+\s*\.\s*)?"?time_received\b/i;
/** MQL operators for a lower bound. */
const LOWER_BOUNDS = new Set(['$gt', '$gte', '$eq', '$in']);
const UPPER_BOUNDS = new Set(['$lt', '$lte']);

/** Returns true if a query restricts the time of readings with a lower bound. */
export function hasLowerTimeBound({
  language,
  text,
}: Pick<FleetQuery, 'language' | 'text'>): boolean {
  if (language === 'mql') return hasBoundInPipeline(text);
  // In strings and comments, the name doesn't refer to the column.
  const skipped = sqlTokens(text).filter(({ kind }) => kind === 'text' || kind === 'comment');
  const edits = skipped.map(({ start, end }) => ({ start, end, insert: ' ? ' }));
  const { text: code } = fillText(text, edits);
  return COLUMN_FIRST.test(code) || BOUND_FIRST.test(code);
}

function hasBoundInPipeline(text: string): boolean {
  try {
    const stages: unknown = JSON.parse(text);
    return (
      Array.isArray(stages) && stages.some((stage) => isRecord(stage) && isBound(stage.$match))
    );
  } catch {
    return false;
  }
}

function isBound(condition: unknown): boolean {
  if (!isRecord(condition)) return false;
  return Object.entries(condition).some(([name, value]) => {
    if (name === COLUMN) return isLowerBound(value);
    if (name === '$expr') return isBoundExpression(value);
    if (!Array.isArray(value)) return false;
    if (name === '$and') return value.some(isBound);
    return name === '$or' && value.every(isBound);
  });
}

/**
 * Returns true if a condition is a lower bound. A plain value means equality; an object contains
 * operators.
 */
function isLowerBound(value: unknown): boolean {
  if (!isRecord(value)) return true;
  const names = Object.keys(value);
  return names.includes('$date') || names.some((name) => LOWER_BOUNDS.has(name));
}

function isBoundExpression(expression: unknown): boolean {
  if (!isRecord(expression)) return false;
  return Object.entries(expression).some(([name, operands]) => {
    if (!Array.isArray(operands)) return false;
    if (name === '$and') return operands.some(isBoundExpression);
    if (LOWER_BOUNDS.has(name)) return operands[0] === `$${COLUMN}`;
    return UPPER_BOUNDS.has(name) && operands[1] === `$${COLUMN}`;
  });
}
