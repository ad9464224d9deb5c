import * as vscode from 'vscode';
import { inRoleOrder, type Role, type RoleName } from '../../../core/model/access';
import { toDisplayText } from '../../../core/model/displayText';

export function roleTitle(name: RoleName): string {
  return name === 'owner' ? vscode.l10n.t('Owner') : vscode.l10n.t('Operator');
}

/** Returns a role's icon. Its shape distinguishes owners from operators. */
export function roleIcon(name: RoleName): string {
  return name === 'owner' ? 'shield' : 'play-circle';
}

/** Returns the description of a role's permissions, for users who are about to grant it. */
export function roleMeaning(name: RoleName): string {
  return name === 'owner'
    ? vscode.l10n.t(
        'Can change and delete it and everything in it, read secrets, and assign roles.',
      )
    : vscode.l10n.t("Can view it and everything in it, and control machines. Can't make changes.");
}

/**
 * Formats a role, such as `Operator of location "Plant"`.
 * @param resourceName name of the resource, or its ID if the name is unknown.
 */
export function formatRole({ name, resourceType }: Role, resourceName: string): string {
  const shown = toDisplayText(resourceName);
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

/** Summarizes one holder's roles: the role with the widest scope, and the number of other roles. */
export function rolesSummary(roles: readonly Role[]): string {
  const [first] = inRoleOrder(roles);
  if (!first) return vscode.l10n.t('no roles');
  const more = roles.length - 1;
  const widest = formatShortRole(first);
  if (more === 0) return widest;
  return more === 1
    ? vscode.l10n.t('{0} and 1 more role', widest)
    : vscode.l10n.t('{0} and {1} more roles', widest, more);
}

function formatShortRole({ name, resourceType }: Role): string {
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
