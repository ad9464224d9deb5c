import { type GetRobotPartLogsRequest, LogOrder } from '../../gen/viam/app/v1/log_pb';
import { invalid } from '../errors';
import { levelKeys } from '../messages/logMessages';
import type { LogEnd, LogPage, LogSelection } from '../store/logs/logPages';
import { type Micros, microsFromTimestamp } from '../store/micros';
import { requireText } from './handlerSupport';

const DEFAULT_LIMIT = 100;
/** However many a caller asks for: it goes on with the next page. */
const MAX_LIMIT = 10_000;

const TOKEN = /^l(-?\d{1,16})\.(\d{1,16})$/;

/** A length of time as Go writes it: `1h30m`, `10m`, `0.5s`. */
const RANGE = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const RANGE_PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
const MICROS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 0.001,
  us: 1,
  µs: 1,
  ms: 1000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
};

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
  if (!RANGE.test(range)) {
    throw invalid('range: must be a length of time such as 10m, 1h30m or 45s');
  }
  const parts = [...range.matchAll(RANGE_PART)];
  const micros = parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (MICROS_PER_UNIT[unit] ?? 0),
    0,
  );
  return Math.min(Math.round(micros), Number.MAX_SAFE_INTEGER / 4);
}
