import type { LogFields, Logger } from '../../base/logger';
import { type Clock, systemClock } from '../../base/clock';

/** Log levels, from most to least verbose. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function isLogLevel(text: string): text is LogLevel {
  return LOG_LEVELS.some((level) => level === text);
}

/**
 * Names of fields that must never be logged. If a caller passes these fields anyway, the logger
 * redacts them.
 */
const SECRET_FIELD = /(key|token|secret|password|authorization|payload)$/i;

/** Writes one JSON object per line: `time`, `level`, `message`, and the event's fields. */
export class JsonLineLogger implements Logger {
  private readonly lowest: number;

  /** @param getContext returns fields to add to each line, such as the ID of the current call */
  constructor(
    lowest: LogLevel,
    private readonly write: (line: string) => void,
    private readonly clock: Clock = systemClock,
    private readonly getContext: () => LogFields = () => ({}),
  ) {
    this.lowest = LOG_LEVELS.indexOf(lowest);
  }

  trace(message: string, fields?: LogFields): void {
    this.log('trace', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.log('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.log('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.log('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.log('error', message, fields);
  }

  private log(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (LOG_LEVELS.indexOf(level) < this.lowest) return;
    const shown = Object.entries({ ...fields, ...this.getContext() }).map(([name, value]) => [
      name,
      SECRET_FIELD.test(name) ? '(not logged)' : value,
    ]);
    const time = this.clock.now().toISOString();
    this.write(`${JSON.stringify({ time, level, message, ...Object.fromEntries(shown) })}\n`);
  }
}
