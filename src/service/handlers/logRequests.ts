import { type GetRobotPartLogsRequest, LogOrder } from '../../gen/viam/app/v1/log_pb';
import { invalid } from '../errors';
import { parseGoDuration } from '../goDuration';
import { levelKeys } from '../messages/logMessages';
import type { LogEnd, LogPage, LogSelection } from '../store/logs/logPages';
import { type Micros, microsFromTimestamp } from '../store/micros';
import { requireText } from './handlerSupport';

const DEFAULT_LIMIT = 100;
/** However many a caller asks for: it goes on with the next page. */
const MAX_LIMIT = 10_000;

const TOKEN = /^l(-?\d{1,16})\.(\d{1,16})$/;

/** A request with a field that is older than `levels`, and that clients still send. */
export type LogsRequest = Omit<GetRobotPartLogsRequest, 'errorsOnly'> & { errorsOnly: boolean };

/**
 * Reads which lines a request asks for.
 * @throws InvalidArgument when its range or page token cannot be read.
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

/** Reads which part of them. */
export function logPageOf(request: LogsRequest): LogPage {
  const { limit = 0n, pageToken = '', order = LogOrder.UNSPECIFIED } = request;
  const wanted = limit === 0n ? BigInt(DEFAULT_LIMIT) : limit;
  return {
    oldestFirst: order === LogOrder.ASCENDING,
    after: pageToken === '' ? undefined : endOf(pageToken),
    limit: wanted > BigInt(MAX_LIMIT) ? MAX_LIMIT : Number(wanted),
  };
}

/** The token with which the page after a line is asked for. */
export function pageTokenAfter({ loggedAt, id }: LogEnd): string {
  return Buffer.from(`l${String(loggedAt)}.${String(id)}`).toString('base64url');
}

function endOf(pageToken: string): LogEnd {
  const match = TOKEN.exec(Buffer.from(pageToken, 'base64url').toString());
  if (!match) {
    throw invalid('page_token: is not one that this operation has answered');
  }
  return { loggedAt: Number(match[1]), id: Number(match[2]) };
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
    throw invalid('range: must be a length of time such as 10m, 1h30m or 45s');
  }
  return micros;
}
