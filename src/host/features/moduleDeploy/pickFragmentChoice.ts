import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { FragmentModule } from '../../../core/modules/deploy/moduleInFragments';
import { pickOne } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';

/**
 * Choice of where to change the version of a fragment's module: in the fragment, or only for this
 * machine.
 */
export type FragmentChoice = 'fragment' | 'override';

/**
 * Explains that a fragment determines the version, and prompts for the config to change. Throws
 * `canceled`.
 */
export async function pickFragmentChoice(
  { name, version }: FragmentModule,
  fragmentName: string,
  title: string,
): Promise<FragmentChoice> {
  const items: readonly (vscode.QuickPickItem & { readonly choice: FragmentChoice })[] = [
    {
      label: `$(json) ${vscode.l10n.t('Change the fragment "{0}"', toQuickPickText(fragmentName))}`,
      detail: vscode.l10n.t('All machines that use it receive your changes'),
      choice: 'fragment',
    },
    {
      label: `$(vm) ${vscode.l10n.t('Change It for This Machine Only')}`,
      detail: vscode.l10n.t("Adds an override to fragment_mods in the machine's config"),
      choice: 'override',
    },
  ];
  const chosen = await pickOne(items, {
    title,
    placeholder: vscode.l10n.t(
      'The fragment "{0}" provides "{1}" in version {2}',
      toDisplayText(fragmentName),
      toDisplayText(name),
      toDisplayText(version === '' ? vscode.l10n.t('latest') : version),
    ),
  });
  return chosen.choice;
}
