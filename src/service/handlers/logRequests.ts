import { type GetRobotPartLogsRequest, LogOrder } from '../../gen/viam/app/v1/log_pb';
import { invalid } from '../errors';
import { parseGoDuration } from '../goDuration';
import { levelKeys } from '../messages/logMessages';
import type { LogEnd, LogPage, LogSelection } from '../store/logs/logPages';
import { type Micros, microsFromTimestamp } from '../store/micros';
import { requireText } from './handlerSupport';
import { momentToken, pageLimit, readMomentToken } from './momentPages';

/** However many a caller asks for: it goes on with the next page. */
const LIMITS = { byDefault: 100, most: 10_000 };
/** Begins the page tokens of logs. */
const LIST = 'l';

/** A request with a field that is older than `levels`, and that clients still send. */
export type LogsRequest = Omit<GetRobotPartLogsRequest, 'errorsOnly'> & { errorsOnly: boolean };

/**
 * Reads which lines a request asks for.
 * @throws InvalidArgument when its range cannot be read.
 */
export function logSelectionOf(request: LogsRequest, now: Micros): LogSelection {
  const start = request.start && microsFromTimestamp(request.start);
  const end = request.end && microsFromTimestamp(request.end);
  const range = request.range ? microsOfRange(request.range) : undefined;
  return {
    partId: request.id,
    text: requireText(request.filter ?? '', 'filter'),
    levels: levelKeys(request.levels, request.errorsOnly),
    source: requireText(request.source ?? '', 'source'),
    forUsers: request.userFacingOnly === true,
    ...(range === undefined ? { start, end } : rangeOf(start, end, range, now)),
  };
}

/**
 * Reads which part of them.
 * @throws InvalidArgument when the page token is not one that was answered.
 */
export function logPageOf(request: LogsRequest): LogPage {
  const { limit = 0n, pageToken = '', order = LogOrder.UNSPECIFIED } = request;
  return {
    oldestFirst: order === LogOrder.ASCENDING,
    after: pageToken === '' ? undefined : endOf(pageToken),
    limit: pageLimit(limit, LIMITS),
  };
}

/** The token with which the page after a line is asked for. */
export function pageTokenAfter({ loggedAt, id }: LogEnd): string {
  return momentToken(LIST, { at: loggedAt, id });
}

function endOf(pageToken: string): LogEnd {
  const end = readMomentToken(LIST, pageToken);
  if (end === undefined) {
    throw invalid('page_token: invalid page token');
  }
  return { loggedAt: end.at, id: end.id };
}

function rangeOf(
  start: Micros | undefined,
  end: Micros | undefined,
  range: Micros,
  now: Micros,
): Pick<LogSelection, 'start' | 'end'> {
  if (start !== undefined) {
    return { start, end: start + range };
  }
  return end === undefined ? { start: now - range, end: undefined } : { start: end - range, end };
}

function microsOfRange(range: string): Micros {
  const micros = parseGoDuration(range);
  if (micros === undefined) {
    throw invalid('range: must be a duration such as 10m, 1h30m, or 45s');
  }
  return micros;
}
