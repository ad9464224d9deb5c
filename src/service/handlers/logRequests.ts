import { type GetRobotPartLogsRequest, LogOrder } from '../../gen/viam/app/v1/log_pb';
import { invalid } from '../errors';
import { parseGoDuration } from '../goDuration';
import { levelKeys } from '../messages/logMessages';
import type { LogEnd, LogPage, LogSelection } from '../store/logs/logPages';
import { type Micros, microsFromTimestamp } from '../store/micros';
import { requireText } from './handlerSupport';
import { createTimePageToken, pageLimit, parseTimePageToken } from './momentPages';

/** Upper limit on the page size. Callers can continue with the next page. */
const LIMITS = { byDefault: 100, most: 10_000 };
/** Prefix of the page tokens of logs. */
const LIST = 'l';

/**
 * Request with a deprecated field. Clients still send this field, although `levels` replaces it.
 */
export type LogsRequest = Omit<GetRobotPartLogsRequest, 'errorsOnly'> & { errorsOnly: boolean };

/**
 * Parses the line selection of a request.
 * @throws InvalidArgument if its time range is invalid.
 */
export function parseLogSelection(request: LogsRequest, now: Micros): LogSelection {
  const start = request.start && microsFromTimestamp(request.start);
  const end = request.end && microsFromTimestamp(request.end);
  const range = request.range ? parseRangeMicros(request.range) : undefined;
  return {
    partId: request.id,
    text: requireText(request.filter ?? '', 'filter'),
    levels: levelKeys(request.levels, request.errorsOnly),
    source: requireText(request.source ?? '', 'source'),
    forUsers: request.userFacingOnly === true,
    ...(range === undefined ? { start, end } : resolveRange(start, end, range, now)),
  };
}

/**
 * Parses the page that a request selects.
 * @throws InvalidArgument if this service didn't issue the page token.
 */
export function parseLogPage(request: LogsRequest): LogPage {
  const { limit = 0n, pageToken = '', order = LogOrder.UNSPECIFIED } = request;
  return {
    oldestFirst: order === LogOrder.ASCENDING,
    after: pageToken === '' ? undefined : parsePageToken(pageToken),
    limit: pageLimit(limit, LIMITS),
  };
}

/** Returns the token of the page that follows a line. */
export function pageTokenAfter({ loggedAt, id }: LogEnd): string {
  return createTimePageToken(LIST, { at: loggedAt, id });
}

function parsePageToken(pageToken: string): LogEnd {
  const end = parseTimePageToken(LIST, pageToken);
  if (end === undefined) {
    throw invalid('page_token: invalid page token');
  }
  return { loggedAt: end.at, id: end.id };
}

function resolveRange(
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

function parseRangeMicros(range: string): Micros {
  const micros = parseGoDuration(range);
  if (micros === undefined) {
    throw invalid('range: must be a duration such as 10m, 1h30m, or 45s');
  }
  return micros;
}
