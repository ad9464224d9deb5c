import * as vscode from 'vscode';
import { pickOne } from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';

/**
 * Prompts for the kind of item to deploy.
 * @returns the command that deploys it. Throws `canceled`.
 */
export async function promptForDeployment() {
  const items = [
    { label: `$(package) ${vscode.l10n.t('Module')}`, id: 'fleetwright.module.deploy' },
    { label: `$(mortar-board) ${vscode.l10n.t('Model')}`, id: 'fleetwright.model.deploy' },
  ] as const;
  const { id } = await pickOne(items, {
    title: vscode.l10n.t('Deploy to Machine'),
    placeholder: vscode.l10n.t('Select what to deploy'),
  });
  return id;
}

/**
 * Prompts for a property of a registry item.
 * @returns the command that edits it. Throws `canceled`.
 */
export async function promptForProperty(itemName: string) {
  const items = [
    { label: vscode.l10n.t('Description'), id: 'fleetwright.registryItem.changeDescription' },
    { label: vscode.l10n.t('Website'), id: 'fleetwright.registryItem.changeUrl' },
    { label: vscode.l10n.t('Visibility'), id: 'fleetwright.registryItem.changeVisibility' },
  ] as const;
  const { id } = await pickOne(items, {
    title: vscode.l10n.t('Edit "{0}"', toQuickPickText(itemName)),
    placeholder: vscode.l10n.t('Select what to edit'),
  });
  return id;
}
