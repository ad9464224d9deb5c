import * as vscode from 'vscode';
import { inRoleOrder, type Role, type RoleName } from '../../core/model/access';
import { displayText } from '../../core/model/displayText';

export function roleTitle(name: RoleName): string {
  return name === 'owner' ? vscode.l10n.t('Owner') : vscode.l10n.t('Operator');
}

/** The icon of a role: its shape tells owners from operators as well as the words do. */
export function roleIcon(name: RoleName): string {
  return name === 'owner' ? 'shield' : 'play-circle';
}

/** What a role allows, for somebody who is about to hand it out. */
export function roleMeaning(name: RoleName): string {
  return name === 'owner'
    ? vscode.l10n.t(
        'Can change and delete it and everything in it, read secrets, and assign roles.',
      )
    : vscode.l10n.t("Can view it and everything in it, and control machines. Can't make changes.");
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

/** The roles of one holder in a few words: the widest, and how many more there are. */
export function rolesSummary(roles: readonly Role[]): string {
  const [first] = inRoleOrder(roles);
  if (!first) return vscode.l10n.t('no roles');
  const more = roles.length - 1;
  const widest = shortRoleText(first);
  if (more === 0) return widest;
  return more === 1
    ? vscode.l10n.t('{0} and 1 more role', widest)
    : vscode.l10n.t('{0} and {1} more roles', widest, more);
}

function shortRoleText({ name, resourceType }: Role): string {
  switch (resourceType) {
    case 'organization':
      return roleTitle(name);
    case 'location':
      return name === 'owner'
        ? vscode.l10n.t('Owner of a location')
        : vscode.l10n.t('Operator of a location');
    case 'robot':
      return name === 'owner'
        ? vscode.l10n.t('Owner of a machine')
        : vscode.l10n.t('Operator of a machine');
  }
}
