import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { relativeTime } from '../../../core/model/relativeTime';
import { roleIcon, rolesSummary, formatRole } from '../../platform/formatRole';
import type { InviteNode } from './nodes/inviteNode';
import type { MemberNode } from './nodes/memberNode';
import type { RoleNode } from './nodes/roleNode';

// Tree items of members, invitations, and roles.

export function memberItem({ target, roles }: MemberNode): vscode.TreeItem {
  return itemWith(toDisplayText(target.name), 'person', rolesSummary(roles));
}

export function inviteItem({ invite, target }: InviteNode, now: Date): vscode.TreeItem {
  const { createdOn } = invite;
  const when = createdOn
    ? vscode.l10n.t('invited {0}', relativeTime(createdOn, now, vscode.env.language))
    : vscode.l10n.t('invited');
  const description = `${when} · ${rolesSummary(invite.roles)}`;
  return itemWith(toDisplayText(target.name), 'mail', description);
}

export function roleItem({ role, target }: RoleNode): vscode.TreeItem {
  return itemWith(formatRole(role, target.name), roleIcon(role.name), '');
}

function itemWith(label: string, icon: string, description: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon(icon);
  if (description !== '') {
    item.description = description;
    item.accessibilityInformation = { label: `${label}, ${description}` };
  }
  return item;
}
