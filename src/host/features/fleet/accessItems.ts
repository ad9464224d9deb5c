import * as vscode from 'vscode';
import { displayText } from '../../../core/model/displayText';
import { relativeTime } from '../../../core/model/relativeTime';
import { roleText, rolesSummary } from '../../platform/roleText';
import type { InviteNode } from './nodes/inviteNode';
import type { MemberNode } from './nodes/memberNode';
import type { RoleNode } from './nodes/roleNode';

// How members, invites and roles look in the fleet tree.

export function memberItem({ target, roles }: MemberNode): vscode.TreeItem {
  return itemWith(displayText(target.name), 'account', rolesSummary(roles));
}

export function inviteItem({ invite, target }: InviteNode, now: Date): vscode.TreeItem {
  const { createdOn } = invite;
  const when = createdOn
    ? vscode.l10n.t('invited {0}', relativeTime(createdOn, now, vscode.env.language))
    : vscode.l10n.t('invited');
  const description = `${when} · ${rolesSummary(invite.roles)}`;
  return itemWith(displayText(target.name), 'mail', description);
}

/** Shape tells owners from operators as well as the words do. */
export function roleItem({ role, target }: RoleNode): vscode.TreeItem {
  const icon = role.name === 'owner' ? 'shield' : 'person';
  return itemWith(roleText(role, target.name), icon, '');
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
