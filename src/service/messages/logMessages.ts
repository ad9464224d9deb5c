import { create, type JsonObject } from '@bufbuild/protobuf';
import { TAIL_LOGGER } from '../../core/model/tailNotice';
import { type LogEntry, LogEntrySchema } from '../../gen/viam/common/v1/common_pb';
import { foldedMessage } from '../store/logs/logSchema';
import type { NewLogLine } from '../store/logs/logLines';
import { microsFromTimestamp, type Micros, timestampFromMicros } from '../store/micros';

/** Character that PostgreSQL can't store. Programs send it when they print raw bytes. */
const NULL_CHARACTER = /\0/g;
const REPLACEMENT = '\uFFFD';

/** Levels that count as errors. */
const ERROR_LEVELS: readonly string[] = ['error', 'dpanic', 'panic', 'fatal', 'critical'];

/** No level has a longer name, and databases can't index much longer texts. */
const MAX_LEVEL_LENGTH = 100;

/** Returns a level as it is compared with others: in lowercase, without spaces around it. */
export function toLevelKey(level: string): string {
  return level.trim().toLowerCase().slice(0, MAX_LEVEL_LENGTH);
}

/**
 * Returns the levels, in lowercase, of the lines that match both conditions; undefined if lines of
 * all levels match.
 * @param levels requested levels. An empty list means all levels.
 */
export function levelKeys(
  levels: readonly string[],
  errorsOnly: boolean,
): readonly string[] | undefined {
  const requested = levels.map(toLevelKey).filter((level) => level !== '');
  if (requested.length === 0) return errorsOnly ? ERROR_LEVELS : undefined;
  return errorsOnly ? requested.filter((level) => ERROR_LEVELS.includes(level)) : requested;
}

/** Returns the row for a received line. A line without a time is assigned the current time. */
export function toLogLine(entry: LogEntry, now: Micros): NewLogLine {
  const text = (value: string): string => value.replaceAll(NULL_CHARACTER, REPLACEMENT);
  const json = (value: JsonObject | JsonObject[]): string =>
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? text(inner) : inner));
  const line = {
    logged_at: entry.time === undefined ? now : microsFromTimestamp(entry.time),
    level: text(entry.level),
    level_key: toLevelKey(text(entry.level)),
    logger_name: loggerName(text(entry.loggerName)),
    host: text(entry.host),
    message: text(entry.message),
    caller: entry.caller === undefined ? null : json(entry.caller),
    stack: text(entry.stack),
    fields: json(entry.fields),
  };
  const { level, logger_name, host, message, caller, stack, fields } = line;
  const texts = [level, logger_name, host, message, caller ?? '', stack, fields];
  const size = texts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return { ...line, folded: foldedMessage(message), size };
}

/** Returns a logger name that can't be mistaken for one of the service's loggers. */
function loggerName(name: string): string {
  return name === TAIL_LOGGER ? `machine.${name}` : name;
}

/** Returns a line's wire format. */
export function logEntryMessage(line: NewLogLine): LogEntry {
  return create(LogEntrySchema, {
    host: line.host,
    level: line.level,
    time: timestampFromMicros(line.logged_at),
    loggerName: line.logger_name,
    message: line.message,
    stack: line.stack,
    fields: JSON.parse(line.fields) as JsonObject[],
    ...(line.caller === null ? {} : { caller: JSON.parse(line.caller) as JsonObject }),
  });
}
