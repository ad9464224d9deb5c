import type * as vscode from 'vscode';
import { canceled, isCanceled } from '../../../core/api/errors';
import { pickStep } from './promptSteps';

/** Menu item that shows a setting and, when selected, prompts for another value. */
export interface MenuItem<T> extends vscode.QuickPickItem {
  /** Returns the changed settings; absent for the item that starts the action. */
  readonly change?: () => Promise<T>;
}

/**
 * Shows all of an action's settings in one menu. The first item, which Enter selects, starts the
 * action. Dismissing a prompt returns to the menu. Returns the final settings. Throws `canceled` if
 * the user dismisses the menu.
 */
export async function showSettingsMenu<T>(
  initial: T,
  title: string,
  placeholder: string,
  getItems: (settings: T) => readonly MenuItem<T>[],
): Promise<T> {
  let settings = initial;
  for (;;) {
    const { change } = await chosen(getItems(settings), title, placeholder);
    if (!change) return settings;
    settings = await orSame(change, settings);
  }
}

async function chosen<T>(
  items: readonly MenuItem<T>[],
  title: string,
  placeholder: string,
): Promise<MenuItem<T>> {
  const answer = await pickStep(items, { title, placeholder });
  if (answer.back) throw canceled();
  return answer.item;
}

/** Returns the changed settings. Dismissing the prompt leaves the settings unchanged. */
async function orSame<T>(change: () => Promise<T>, settings: T): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (isCanceled(error)) return settings;
    throw error;
  }
}
