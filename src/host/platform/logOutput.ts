import type * as vscode from 'vscode';
import type { LogFields, Logger } from '../../core/ports';

/** The extension's log in the Output panel. Each line can contain fields. */
export class LogOutput implements Logger {
  constructor(
    private readonly channel: vscode.LogOutputChannel,
    private readonly prefix = '',
  ) {}

  /** Returns a logger for one feature, in the same channel. */
  child(name: string): LogOutput {
    return new LogOutput(this.channel, `${this.prefix}${name}: `);
  }

  trace(message: string, fields?: LogFields): void {
    this.channel.trace(this.format(message, fields));
  }

  debug(message: string, fields?: LogFields): void {
    this.channel.debug(this.format(message, fields));
  }

  info(message: string, fields?: LogFields): void {
    this.channel.info(this.format(message, fields));
  }

  warn(message: string, fields?: LogFields): void {
    this.channel.warn(this.format(message, fields));
  }

  error(message: string, fields?: LogFields): void {
    this.channel.error(this.format(message, fields));
  }

  private format(message: string, fields: LogFields = {}): string {
    const shown = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
    return [`${this.prefix}${message}`, ...shown].join(' ');
  }
}
