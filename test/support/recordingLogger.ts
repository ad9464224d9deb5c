import type { LogFields, Logger } from '../../src/base/logger';

export interface LogLine {
  level: keyof Logger;
  message: string;
  fields: LogFields;
}

/** Collects log lines for assertions. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  trace(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'trace', message, fields });
  }
  debug(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }
  info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }
  warn(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }
  error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }
}
