import * as vscode from 'vscode';
import type { DisposableLike } from '../../base/disposable';
import type { Setting } from '../../manifest/settings';

/** The value of a setting now. */
export function readSetting<T>(setting: Setting<T>): T {
  return vscode.workspace.getConfiguration().get<T>(setting.key, setting.defaultValue);
}

/** Keeps a value for all windows. Rejects when the settings cannot be written. */
export async function writeSetting<T>(setting: Setting<T>, value: T): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration().update(setting.key, value, Global);
}

/** Calls `listener` when a setting has another value. */
export function onDidChangeSetting(
  setting: Setting<unknown>,
  listener: () => void,
): DisposableLike {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting.key)) listener();
  });
}
