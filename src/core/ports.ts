import type { Event } from '../base/emitter';

export type { Clock, Sleep } from '../base/clock';
export type { LogFields, Logger } from '../base/logger';

/** Encrypted storage that all windows share. */
export interface Secrets {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Fires with the storage key of a secret that was stored or deleted, in this window or another.
   */
  readonly onDidChange: Event<string>;
}

/**
 * Unencrypted storage for JSON values. Readers must validate the values, because an older version
 * might have stored them.
 */
export interface KeyValue {
  keys(): readonly string[];
  get(key: string): unknown;
  /** Stores a value; `undefined` removes the key. */
  update(key: string, value: unknown): Promise<void>;
}
