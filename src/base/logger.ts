/** Values that explain a log line. Must never contain a key, a token, or a message body. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Destination of log lines, which are for troubleshooting and are not localized. */
export interface Logger {
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
