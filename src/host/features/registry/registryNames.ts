import * as vscode from 'vscode';
import { displayName } from '../../../core/model/toDisplayText';
import type { RegistryItem } from '../../../core/model/registryItem';
import { formatNumber } from '../../platform/quantityText';

/** Formats an item for a prompt, such as `the module "acme:wheels"`. */
export function formatItemReference({
  type,
  id,
  name,
}: Pick<RegistryItem, 'type' | 'id' | 'name'>): string {
  const shown = displayName({ name, id });
  switch (type) {
    case 'module':
      return vscode.l10n.t('the module "{0}"', shown);
    case 'mlModel':
      return vscode.l10n.t('the model "{0}"', shown);
    case 'trainingScript':
      return vscode.l10n.t('the training script "{0}"', shown);
    default:
      return vscode.l10n.t('the registry item "{0}"', shown);
  }
}

/** Formats the users of an item as a sentence; empty if there are none. */
export function describeUsers({
  machinesUsing,
  organizationsUsing,
}: Pick<RegistryItem, 'machinesUsing' | 'organizationsUsing'>): readonly string[] {
  if (machinesUsing === 0) return [];
  const machines = formatNumber(machinesUsing);
  if (organizationsUsing > 1) {
    return [
      vscode.l10n.t(
        '{0} machines in {1} organizations use it.',
        machines,
        formatNumber(organizationsUsing),
      ),
    ];
  }
  return [
    machinesUsing === 1
      ? vscode.l10n.t('1 machine uses it.')
      : vscode.l10n.t('{0} machines use it.', machines),
  ];
}
