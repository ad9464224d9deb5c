import * as vscode from 'vscode';
import { getOwn } from '../../../base/getOwn';
import { DisposableSet } from '../../../base/disposable';
import { canceled, FleetError, isCanceled } from '../../../core/api/errors';
import type { ConnectionId } from '../../../core/model/ids';
import { targetId } from '../../../core/model/resourceTarget';
import { pickOne } from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';
import type { PickTarget } from '../../platform/prompts/targetPicker';

/** Prompts the user to select a value from the fleet. Returns undefined if the user cancels. */
export type PickValue = (name: string) => Promise<string | undefined>;

/**
 * Prompts for the parameters' values, one after another. The user selects values from the fleet or
 * types them.
 * @param known previous values, which are the defaults
 * @throws FleetError `canceled` if the user dismisses the prompt
 */
export async function promptForParameters(
  names: readonly string[],
  known: Readonly<Record<string, string>>,
  pick: PickValue,
): Promise<Readonly<Record<string, string>>> {
  const values: (readonly [name: string, value: string])[] = [];
  for (const [index, name] of names.entries()) {
    const value = await promptForValue(
      name,
      getOwn(known, name) ?? '',
      { index, of: names.length },
      pick,
    );
    values.push([name, value]);
  }
  return Object.fromEntries(values);
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
  { index, of }: { readonly index: number; readonly of: number },
): Promise<PromptResult> {
  const owned = new DisposableSet();
  const box = owned.add(vscode.window.createInputBox());
  box.title = vscode.l10n.t('Value of the parameter {0}', name);
  box.prompt = vscode.l10n.t('Enter a value, or use the button to select one from the fleet.');
  box.value = value;
  box.ignoreFocusOut = true;
  if (of > 1) [box.step, box.totalSteps] = [index + 1, of];
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

/** Sources of the values that users can select. */
export interface PickedFrom {
  readonly connectionId: ConnectionId;
  readonly pickTarget: PickTarget;
  /** Returns the names of components that have readings, if known. */
  readonly components: () => Promise<readonly string[]>;
}

interface MeaningItem extends vscode.QuickPickItem {
  readonly meaning: ParameterMeaning;
}

/** Prompts for a parameter's value; undefined if the user cancels. */
export function pickParameter(from: PickedFrom, name: string): Promise<string | undefined> {
  const meaning = getMeaning(name);
  return unlessLeft(() => (meaning ? pickByMeaning(from, meaning) : pickAny(from)));
}

/** Prompts for a value to insert into a query: first its kind, then a resource. */
export function pickId(from: PickedFrom): Promise<string | undefined> {
  return unlessLeft(() => pickAny(from));
}

async function pickAny(from: PickedFrom): Promise<string> {
  const kinds: readonly MeaningItem[] = [
    { meaning: 'part', label: vscode.l10n.t('A part of a machine'), description: 'part_id' },
    { meaning: 'machine', label: vscode.l10n.t('A machine'), description: 'robot_id' },
    { meaning: 'location', label: vscode.l10n.t('A location'), description: 'location_id' },
    {
      meaning: 'organization',
      label: vscode.l10n.t('An organization'),
      description: 'organization_id',
    },
    {
      meaning: 'component',
      label: vscode.l10n.t('The component name'),
      description: 'component_name',
    },
  ];
  const { meaning } = await pickOne(kinds, {
    title: vscode.l10n.t('Insert the ID of…'),
    placeholder: vscode.l10n.t('Select a resource type'),
  });
  return pickByMeaning(from, meaning);
}

async function pickByMeaning(
  { connectionId, pickTarget, components }: PickedFrom,
  meaning: ParameterMeaning,
): Promise<string> {
  if (meaning !== 'component') return targetId(await pickTarget(meaning, connectionId));
  const names = await components();
  if (names.length === 0) {
    throw new FleetError(
      'notFound',
      vscode.l10n.t(
        "No component is available because the latest readings don't include one. Enter the component name.",
      ),
    );
  }
  const items = names.map((name) => ({ label: toQuickPickText(name), name }));
  const { name } = await pickOne(items, {
    title: vscode.l10n.t('Select a Component'),
    placeholder: vscode.l10n.t('Components with readings'),
  });
  return name;
}

async function unlessLeft(pick: () => Promise<string>): Promise<string | undefined> {
  try {
    return await pick();
  } catch (error) {
    if (isCanceled(error)) return undefined;
    throw error;
  }
}

/** Kind of fleet resource from which a parameter's value is selected. */
export type ParameterMeaning = 'organization' | 'location' | 'machine' | 'part' | 'component';

/** Patterns in parameter names. The wire protocol calls machines robots. */
const MEANINGS: readonly (readonly [RegExp, ParameterMeaning])[] = [
  [/component/i, 'component'],
  [/part/i, 'part'],
  [/machine|robot/i, 'machine'],
  [/location/i, 'location'],
  [/organi[sz]ation|(^|_)org(_|$)/i, 'organization'],
];

/** Returns a parameter name's meaning; undefined if no pattern matches. */
export function getMeaning(name: string): ParameterMeaning | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(name))?.[1];
}
