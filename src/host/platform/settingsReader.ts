import * as vscode from 'vscode';
import type { DisposableLike } from '../../base/disposable';
import type { Setting } from '../../manifest/contributions';

/** Returns the current value of a setting. */
export function readSetting<T>(setting: Setting<T>): T {
  return vscode.workspace.getConfiguration().get<T>(setting.key, setting.defaultValue);
}

/**
 * Returns the elements of a list setting in all scopes. A restriction must be read like this, because
 * the list of a workspace would otherwise replace the lists of the user and the administrator.
 */
export function readAllScopes<T>({ key }: Setting<readonly T[]>): readonly T[] {
  const configuration = vscode.workspace.getConfiguration();
  const { globalValue, workspaceValue, workspaceFolderValue } =
    configuration.inspect<readonly T[]>(key) ?? {};
  // The effective value includes a policy, which `inspect` doesn't return.
  const lists = [configuration.get<readonly T[]>(key), globalValue, workspaceValue];
  return [...lists, workspaceFolderValue].flatMap((list) => list ?? []);
}

/** Saves a value for all windows. Rejects if the settings can't be written. */
export async function writeSetting<T>(setting: Setting<T>, value: T): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration().update(setting.key, value, Global);
}

/** Calls `listener` when a setting's value changes. */
export function onDidChangeSetting(
  setting: Setting<unknown>,
  listener: () => void,
): DisposableLike {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting.key)) listener();
  });
}
