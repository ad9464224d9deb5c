import { Emitter } from '../../src/base/emitter';
import type { KeyValue, Secrets } from '../../src/core/ports';

/**
 * Secret storage that behaves like VS Code's: it notifies all windows of every store and delete
 * operation.
 */
export class MemorySecrets implements Secrets {
  readonly values = new Map<string, string>();
  private readonly changed = new Emitter<string>();
  readonly onDidChange = this.changed.event;

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.values.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.changed.fire(key);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.values.delete(key);
    this.changed.fire(key);
    return Promise.resolve();
  }
}

export class MemoryKeyValue implements KeyValue {
  readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
    return Promise.resolve();
  }
}
