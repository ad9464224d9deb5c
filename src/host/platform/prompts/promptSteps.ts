import * as vscode from 'vscode';
import { type InputOptions, promptForStep } from './prompts';
import { DisposableSet } from '../../../base/disposable';
import { canceled } from '../../../core/api/errors';

/**
 * Returns a prompt's options. Called when the prompt is shown.
 * @param answers trimmed answers to the previous prompts.
 */
export type StepOptions = (answers: readonly string[]) => Omit<InputOptions, 'step'>;

/**
 * Prompts for a sequence of strings, with a back button that restores the previous input. Returns
 * the trimmed inputs. Throws `canceled` if the user dismisses a prompt.
 */
export async function promptForSteps(
  questions: readonly StepOptions[],
): Promise<readonly string[]> {
  const answers: string[] = [];
  const of = questions.length;
  for (let index = 0; index < of;) {
    const options = questions[index]?.(answers.slice(0, index));
    if (!options) break;
    const step = of > 1 ? { number: index + 1, of } : undefined;
    const answer = await promptForStep({
      ...options,
      value: answers[index] ?? options.value,
      step,
    });
    if (!answer.back) answers[index] = answer.value.trim();
    index += answer.back ? -1 : 1;
  }
  return answers;
}

export interface PickStepOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /** True to offer a back button. */
  readonly back?: boolean;
  /** Returns true for the initially active item, which Enter selects. */
  readonly active?: (item: T) => boolean;
}

/** Result from one prompt in a multi-step sequence. */
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
