import { toCanonicalJson } from '../../base/canonicalJson';
import type { JsonObject } from '@bufbuild/protobuf';
import type { LogEntry as WireLogEntry } from '../../gen/viam/common/v1/common_pb';
import { timestampToMicros } from './timestamp';

/** Log levels that a filter distinguishes; `other` includes all unknown levels. */
export const levelKinds = ['debug', 'info', 'warn', 'error', 'other'] as const;
export type LevelKind = (typeof levelKinds)[number];

/** Log entry from a part, as reported by the service. */
export interface LogEntry {
  /** Timestamp in microseconds since 1970, an integer. */
  readonly micros: number;
  readonly level: LevelKind;
  /** Level as the machine wrote it. */
  readonly levelText: string;
  readonly logger: string;
  readonly message: string;
  readonly host: string;
  readonly stack: string;
  /**
   * Structured values as JSON text with sorted members: an object, or a list of objects if the
   * machine sends more than one; empty if there are none.
   */
  readonly fields: string;
  /** Position in the source code as JSON text; empty if the machine doesn't report it. */
  readonly caller: string;
}

// Level names of the loggers that machines use: zap for Go, and the standard loggers of Python and
// the browser.
const LEVELS: ReadonlyMap<string, LevelKind> = new Map(
  Object.entries<LevelKind>({
    trace: 'debug',
    debug: 'debug',
    info: 'info',
    notice: 'info',
    warn: 'warn',
    warning: 'warn',
    error: 'error',
    critical: 'error',
    dpanic: 'error',
    panic: 'error',
    fatal: 'error',
  }),
);

export function logEntryFromWire(wire: WireLogEntry): LogEntry {
  const { time, level, loggerName, message, host, stack, fields, caller } = wire;
  return {
    micros: time ? timestampToMicros(time) : 0,
    level: getLevelKind(level),
    levelText: level,
    logger: loggerName,
    message,
    host,
    stack,
    fields: formatFields(fields),
    caller: caller && Object.keys(caller).length > 0 ? toCanonicalJson(caller) : '',
  };
}

/** Returns an entry's size in UTF-16 units. */
export function getCharCount(entry: LogEntry): number {
  const { message, fields, stack, caller, host, logger, levelText } = entry;
  return [message, fields, stack, caller, host, logger, levelText].reduce(
    (sum, { length }) => sum + length,
    0,
  );
}

function getLevelKind(level: string): LevelKind {
  return LEVELS.get(level.trim().toLowerCase()) ?? 'other';
}

/**
 * Formats the groups of a line's structured values. Some loggers send a group for each value, with
 * members such as its key. These groups remain separate. The members are sorted, because the wire
 * doesn't preserve their order, so the same line can arrive with different orders.
 */
function formatFields(groups: readonly JsonObject[]): string {
  const nonEmpty = groups.filter((group) => Object.keys(group).length > 0);
  const [first] = nonEmpty;
  if (first === undefined) return '';
  return toCanonicalJson(nonEmpty.length === 1 ? first : nonEmpty);
}
