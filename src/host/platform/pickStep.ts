import * as vscode from 'vscode';
import { DisposableSet } from '../../base/disposable';
import { canceled } from '../../core/api/errors';

export interface PickStepOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /** Offers a way back to the question before. */
  readonly back?: boolean;
  /** The item that Enter takes at once. */
  readonly active?: (item: T) => boolean;
}

/** What one of several questions ends in. */
export type PickStepAnswer<T> =
  | { readonly back: true }
  | { readonly back: false; readonly item: T };

/**
 * Asks for one of several as a part of a longer question. Shows that it is reading until the items
 * are there. Throws `canceled` when the person leaves, and what reading the items throws.
 */
export async function pickStep<T extends vscode.QuickPickItem>(
  items: readonly T[] | Promise<readonly T[]>,
  options: PickStepOptions<T>,
): Promise<PickStepAnswer<T>> {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<T>());
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  if (options.back) pick.buttons = [vscode.QuickInputButtons.Back];
  try {
    return await new Promise<PickStepAnswer<T>>((resolve, reject) => {
      owned.add(
        pick.onDidAccept(() => {
          const [item] = pick.selectedItems;
          if (item) resolve({ back: false, item });
        }),
      );
      owned.add(pick.onDidTriggerButton(() => resolve({ back: true })));
      owned.add(pick.onDidHide(() => reject(canceled())));
      pick.busy = true;
      pick.show();
      Promise.resolve(items).then((known) => {
        pick.items = known;
        pick.busy = false;
        const active = known.find((item) => options.active?.(item) ?? false);
        if (active) pick.activeItems = [active];
      }, reject);
    });
  } finally {
    owned.dispose();
  }
}
