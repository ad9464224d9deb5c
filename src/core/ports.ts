import type { Event } from '../base/emitter';

export type { Clock, Sleep } from '../base/clock';
export type { LogFields, Logger } from '../base/logger';

/** Encrypted storage, shared by all windows. */
export interface Secrets {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Fires with the key that was stored or deleted, in this window or another. */
  readonly onDidChange: Event<string>;
}

/**
 * Plain storage of JSON values. Readers must validate them, because they can be from an older
 * version.
 */
export interface KeyValue {
  keys(): readonly string[];
  get(key: string): unknown;
  /** `undefined` removes the key. */
  update(key: string, value: unknown): Promise<void>;
}
