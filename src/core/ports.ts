import type { Event } from '../base/emitter';

export type { Clock, Sleep } from '../base/clock';

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

/** Encrypted storage, shared by all windows. */
export interface Secrets {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Fires with the key that was stored or deleted, in this window or another. */
  readonly onDidChange: Event<string>;
}

/** Plain storage of JSON values. Readers validate what they get: it may be of an older version. */
export interface KeyValue {
  get(key: string): unknown;
  update(key: string, value: unknown): Promise<void>;
}
