import { create } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { TAIL_LOGGER } from '../../core/model/tailNotice';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type GetRobotPartLogsRequest,
  LogOrder,
  type TailRobotPartLogsRequest,
} from '../../gen/viam/app/v1/log_pb';
import { type LogEntry, LogEntrySchema } from '../../gen/viam/common/v1/common_pb';
import type { Authenticator } from '../auth/authenticator';
import { requirePermission } from '../auth/authorizer';
import type { LogBroker, TailedLines } from '../logs/logHub';
import { levelKeys, logEntryMessage, toLevelKey } from '../messages/logMessages';
import { foldCase } from '../store/logs/logSchema';
import {
  type LogEnd,
  type LogPage,
  type LogSelection,
  readLogLinesPage,
} from '../store/logs/logPages';
import { type Micros, timestampFromMicros } from '../store/micros';
import { toStoreError } from '../store/storeErrors';
import { getCaller, type HandlerDependencies, requireText } from './handlerSupport';
import { invalid } from '../errors';
import { parseGoDuration } from '../messages/structField';
import { createRowPageTokens, pageLimit } from '../messages/paging';
import { toRangeLimit } from '../messages/wireTimes';

type LogOperations = Pick<ServiceImpl<typeof AppService>, 'getRobotPartLogs' | 'tailRobotPartLogs'>;

/** Permission to read a part's logs. */
const READ_LOGS = 'read_robot_logs';

const TAIL_CHECK_MS = 10_000;

export interface LogDependencies extends HandlerDependencies {
  broker: LogBroker;
  authenticator: Authenticator;
  /**
   * Interval in milliseconds between checks that the reader of a log tail still has permission;
   * ten seconds if absent.
   */
  tailCheckMs?: number | undefined;
}

/** Handlers for reading and tailing the logs of parts (spec part 3). */
export function partLogHandlers(dependencies: LogDependencies): LogOperations {
  const { store, broker, now } = dependencies;
  return {
    async getRobotPartLogs(request) {
      const { rows, end } = await readLogLinesPage(
        store,
        parseLogSelection(request, now()),
        parseLogPage(request),
      );
      return {
        logs: rows.map(logEntryMessage),
        nextPageToken: createPageToken(end),
      };
    },

    async *tailRobotPartLogs(request, context) {
      try {
        const part = { type: 'part', id: request.id } as const;
        await requirePermission(store, getCaller(context), READ_LOGS, part);
        using tail = await broker.open(request.id, createLineFilter(request));
        using check = watchPermission(dependencies, request, context);
        // The headers are sent with the first message. They indicate to the reader that the tail is
        // live.
        yield {};
        for await (const tailed of tail.read(check.signal)) {
          yield { logs: [...missedLine(tailed), ...tailed.lines] };
        }
        // A tail never ends on its own, because a part can log at any time.
        check.signal.throwIfAborted();
      } catch (error) {
        // Interceptors don't see errors that a stream throws after the first response.
        throw toStoreError(error) ?? error;
      }
    },
  };

  /** Returns a log line that reports the number of lines that the reader has missed. */
  function missedLine({ missed }: TailedLines): LogEntry[] {
    if (missed === 0) return [];
    const line = create(LogEntrySchema, {
      level: 'warn',
      loggerName: TAIL_LOGGER,
      time: timestampFromMicros(now()),
      message: `${String(missed)} log lines were skipped here because they arrived faster than they were read`,
      fields: [{ missed }],
    });
    return [line];
  }
}

/**
 * Ends a tail when its reader loses permission, for example because the reader's key is deleted.
 */
function watchPermission(
  { store, authenticator, tailCheckMs = TAIL_CHECK_MS }: LogDependencies,
  { id }: TailRobotPartLogsRequest,
  { requestHeader, signal }: HandlerContext,
): Disposable & { signal: AbortSignal } {
  const permissionLost = new AbortController();
  const timer = setInterval(() => {
    authenticator
      .principal(requestHeader.get('authorization'))
      .then((principal) => requirePermission(store, principal, READ_LOGS, { type: 'part', id }))
      .catch((error: unknown) => {
        // While the store is temporarily unavailable, the permissions are unknown.
        if (toStoreError(error) === undefined) permissionLost.abort(error);
      });
  }, tailCheckMs).unref();
  return {
    signal: AbortSignal.any([signal, permissionLost.signal]),
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}

function createLineFilter({
  filter = '',
  errorsOnly,
}: TailRobotPartLogsRequest): (line: LogEntry) => boolean {
  const text = foldCase(filter);
  const levels = levelKeys([], errorsOnly);
  return ({ level, message }) =>
    (levels === undefined || levels.includes(toLevelKey(level))) &&
    (text === '' || foldCase(message).includes(text));
}

/** Upper limit on the page size. Callers can continue with the next page. */
const LIMITS = { byDefault: 100, max: 10_000 };
const TOKENS = createRowPageTokens('l');

/** Request with a deprecated field. `levels` replaces this field, but clients still send it. */
export type LogsRequest = Omit<GetRobotPartLogsRequest, 'errorsOnly'> & { errorsOnly: boolean };

/**
 * Parses the log line selection in a request.
 * @throws InvalidArgument if its time range is invalid.
 */
function parseLogSelection(request: LogsRequest, now: Micros): LogSelection {
  const start = request.start && toRangeLimit(request.start, 'start');
  const end = request.end && toRangeLimit(request.end, 'end');
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
 * Parses the page selection in a request.
 * @throws InvalidArgument if this service didn't issue the page token.
 */
function parseLogPage(request: LogsRequest): LogPage {
  const { limit = 0n, pageToken = '', order = LogOrder.UNSPECIFIED } = request;
  return {
    oldestFirst: order === LogOrder.ASCENDING,
    after: parsePageToken(pageToken),
    limit: pageLimit(limit, LIMITS),
  };
}

function createPageToken(end: LogEnd | undefined): string {
  return TOKENS.create(end && { at: end.loggedAt, id: end.id });
}

function parsePageToken(pageToken: string): LogEnd | undefined {
  const end = TOKENS.parse(pageToken);
  return end && { loggedAt: end.at, id: end.id };
}

function resolveRange(
  start: Micros | undefined,
  end: Micros | undefined,
  range: Micros,
  now: Micros,
): Pick<LogSelection, 'start' | 'end'> {
  if (start !== undefined) return { start, end: start + range };
  return end === undefined ? { start: now - range, end: undefined } : { start: end - range, end };
}

function parseRangeMicros(range: string): Micros {
  const micros = parseGoDuration(range);
  if (micros === undefined) throw invalid('range: must be a duration such as 10m, 1h30m, or 45s');
  return micros;
}
