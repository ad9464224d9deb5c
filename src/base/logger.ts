/** Values that explain a log line. Never a key, a token or a message body. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where log lines go. They are for people who look for a fault and are not translated. */
export interface Logger {
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
