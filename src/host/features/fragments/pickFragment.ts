import * as vscode from 'vscode';
import type { Fragment, FragmentSummary, Organization } from '../../../core/model/entities';
import { displayName } from '../../../core/model/toDisplayText';
import { fragmentId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { FleetError } from '../../../core/api/errors';
import { pickOne, promptForText } from '../../platform/prompts';
import { escapeIcons } from '../../platform/toQuickPickText';

interface FragmentItem extends vscode.QuickPickItem {
  readonly fragment?: FragmentSummary;
}

/** Prompts for a fragment, either from the organization's fragments or by ID. */
export async function pickFragment(
  { fragments }: FleetStores,
  organization: Organization,
): Promise<Fragment> {
  const items = fragments.list(organization.id).then((list): FragmentItem[] => [
    ...list.map((fragment) => ({
      fragment,
      label: escapeIcons(displayName(fragment)),
      iconPath: new vscode.ThemeIcon('json'),
    })),
    {
      label: `$(link) ${vscode.l10n.t('Enter Public Fragment ID…')}`,
      alwaysShow: true,
    },
  ]);
  const { fragment } = await pickOne(items, {
    title: vscode.l10n.t('Add Fragment to Part'),
    placeholder: vscode.l10n.t('Fragments of {0}', organization.name),
  });
  return fragment ? fragments.get(fragment.id) : promptForId(fragments);
}

async function promptForId(fragments: FleetStores['fragments']): Promise<Fragment> {
  let found: Fragment | undefined;
  await promptForText({
    title: vscode.l10n.t('Add Fragment to Part'),
    prompt: vscode.l10n.t('The fragment ID'),
    validate: (value) =>
      value.trim() === ''
        ? { message: vscode.l10n.t('Enter an ID.'), severity: 'incomplete' }
        : undefined,
    submit: async (value, signal) => {
      found = await fragments.get(fragmentId(value.trim()), { signal });
    },
  });
  if (!found) throw new FleetError('internal', 'The box closed before its work was done.');
  return found;
}
