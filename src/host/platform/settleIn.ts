import type * as vscode from 'vscode';
import { canceled, isCanceled } from '../../core/api/errors';
import { pickStep } from './pickStep';

/** A line of a menu that shows what is set, and asks for something else when it is chosen. */
export interface MenuItem<T> extends vscode.QuickPickItem {
  /** What the setting becomes; absent on the line that begins the work. */
  readonly change?: () => Promise<T>;
}

/**
 * Shows all settings of a work at once; Enter takes the first line, which begins it. Answers the
 * settings it is to begin with. Throws `canceled` when the person leaves the menu; leaving a question
 * comes back to it.
 */
export async function settleIn<T>(
  initial: T,
  title: string,
  placeholder: string,
  itemsOf: (settings: T) => readonly MenuItem<T>[],
): Promise<T> {
  let settings = initial;
  for (;;) {
    const { change } = await chosen(itemsOf(settings), title, placeholder);
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

/** A question that is left changes nothing. */
async function orSame<T>(change: () => Promise<T>, settings: T): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (isCanceled(error)) return settings;
    throw error;
  }
}
