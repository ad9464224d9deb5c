import type * as vscode from 'vscode';
import type { KeyValue, Secrets } from '../../core/ports';

/** Adapts VS Code's secret storage to the port in core. */
export function toSecrets(storage: vscode.SecretStorage): Secrets {
  return {
    get: async (key) => storage.get(key),
    store: async (key, value) => storage.store(key, value),
    delete: async (key) => storage.delete(key),
    onDidChange: (listener) => storage.onDidChange(({ key }) => listener(key)),
  };
}

/** Adapts VS Code's state storage to the port in core. */
export function toKeyValue(memento: vscode.Memento): KeyValue {
  return {
    keys: () => memento.keys(),
    get: (key) => memento.get<unknown>(key),
    update: async (key, value) => memento.update(key, value),
  };
}
