import * as vscode from 'vscode';
import { DisposableSet } from '../../../../base/disposable';
import { canceled } from '../../../../core/api/errors';

/** Prompts the user to select a value from the fleet. Returns undefined if the user cancels. */
export type PickValue = (name: string) => Promise<string | undefined>;

/**
 * Prompts for the value of each parameter in turn. The user selects values from the fleet or types
 * them.
 * @param known previous values, which are the defaults
 * @throws FleetError `canceled` if the user dismisses the prompt
 */
export async function promptForParameters(
  names: readonly string[],
  known: Readonly<Record<string, string>>,
  pick: PickValue,
): Promise<Readonly<Record<string, string>>> {
  const values: Record<string, string> = {};
  for (const [place, name] of names.entries()) {
    values[name] = await promptForValue(
      name,
      known[name] ?? '',
      { index: place, of: names.length },
      pick,
    );
  }
  return values;
}

async function promptForValue(
  name: string,
  known: string,
  step: { readonly index: number; readonly of: number },
  pick: PickValue,
): Promise<string> {
  let value = known;
  for (;;) {
    const answer = await promptOnce(name, value, step);
    if (!answer.choose) return answer.value;
    value = (await pick(name)) ?? answer.value;
  }
}

interface PromptResult {
  readonly choose: boolean;
  readonly value: string;
}

function promptOnce(
  name: string,
  value: string,
  { index: place, of }: { readonly index: number; readonly of: number },
): Promise<PromptResult> {
  const owned = new DisposableSet();
  const box = owned.add(vscode.window.createInputBox());
  box.title = vscode.l10n.t('Value of the parameter {0}', name);
  box.prompt = vscode.l10n.t('Enter a value, or use the button to select one from the fleet.');
  box.value = value;
  box.ignoreFocusOut = true;
  if (of > 1) [box.step, box.totalSteps] = [place + 1, of];
  box.buttons = [
    {
      iconPath: new vscode.ThemeIcon('list-selection'),
      tooltip: vscode.l10n.t('Select from Fleet…'),
    },
  ];
  return new Promise<PromptResult>((resolve, reject) => {
    owned.add(box.onDidAccept(() => resolve({ choose: false, value: box.value })));
    owned.add(box.onDidTriggerButton(() => resolve({ choose: true, value: box.value })));
    owned.add(box.onDidHide(() => reject(canceled())));
    box.show();
  }).finally(() => owned.dispose());
}
