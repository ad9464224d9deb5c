import * as vscode from 'vscode';
import { DisposableSet } from '../../base/disposable';
import { canceled } from '../../core/api/errors';

export interface PickStepOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /** True to offer a back button. */
  readonly back?: boolean;
  /** Returns true for the initially active item, which Enter selects. */
  readonly active?: (item: T) => boolean;
}

/** Result of one prompt in a multi-step sequence. */
export type PickStepResult<T> =
  | { readonly back: true }
  | { readonly back: false; readonly item: T };

/**
 * Prompts for an item as one step of a sequence. Shows progress until the items have loaded. Throws
 * `canceled` if the user dismisses the prompt, and errors from reading the items.
 */
export async function pickStep<T extends vscode.QuickPickItem>(
  items: readonly T[] | Promise<readonly T[]>,
  options: PickStepOptions<T>,
): Promise<PickStepResult<T>> {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<T>());
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  if (options.back) pick.buttons = [vscode.QuickInputButtons.Back];
  try {
    return await new Promise<PickStepResult<T>>((resolve, reject) => {
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
