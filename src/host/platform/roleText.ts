import * as vscode from 'vscode';
import type { Role, RoleName } from '../../core/model/access';
import { displayText } from '../../core/model/displayText';

export function roleTitle(name: RoleName): string {
  return name === 'owner' ? vscode.l10n.t('Owner') : vscode.l10n.t('Operator');
}

/** What a role allows, for somebody who is about to hand it out. */
export function roleMeaning(name: RoleName): string {
  return name === 'owner'
    ? vscode.l10n.t('May change and delete it with all that is in it, read secrets and give roles.')
    : vscode.l10n.t('May see it with all that is in it and control machines. Changes nothing.');
}

/**
 * A role in words, such as `Operator of location "Plant"`.
 * @param resourceName the name of the resource, or its id where the name is not known.
 */
export function roleText({ name, resourceType }: Role, resourceName: string): string {
  const shown = displayText(resourceName);
  switch (resourceType) {
    case 'organization':
      return name === 'owner'
        ? vscode.l10n.t('Owner of the organization')
        : vscode.l10n.t('Operator of the organization');
    case 'location':
      return name === 'owner'
        ? vscode.l10n.t('Owner of location "{0}"', shown)
        : vscode.l10n.t('Operator of location "{0}"', shown);
    case 'robot':
      return name === 'owner'
        ? vscode.l10n.t('Owner of machine "{0}"', shown)
        : vscode.l10n.t('Operator of machine "{0}"', shown);
  }
}
