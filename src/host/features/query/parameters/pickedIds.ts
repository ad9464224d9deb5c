import * as vscode from 'vscode';
import { FleetError, isCanceled } from '../../../../core/api/errors';
import type { ConnectionId } from '../../../../core/model/ids';
import { targetId } from '../../../../core/model/resourceTarget';
import { pickOne } from '../../../platform/prompts';
import { toQuickPickText } from '../../../platform/toQuickPickText';
import type { PickTarget } from '../../../platform/targetPicker';
import { getMeaning, type ParameterMeaning } from './parameterMeaning';

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

/** Prompts for the value of a parameter; undefined if the user cancels. */
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
      ...{ meaning: 'organization', label: vscode.l10n.t('An organization') },
      description: 'organization_id',
    },
    {
      ...{ meaning: 'component', label: vscode.l10n.t('The component name') },
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
