import * as vscode from 'vscode';
import type { DisposableLike } from '../../base/disposable';
import type { Setting } from '../../manifest/settings';

/** The value of a setting now. */
export function readSetting<T>(setting: Setting<T>): T {
  return vscode.workspace.getConfiguration().get<T>(setting.key, setting.defaultValue);
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
