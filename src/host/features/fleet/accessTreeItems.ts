import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/displayText';
import { relativeTime } from '../../../core/model/presence';
import { formatRole, roleIcon, rolesSummary } from '../../platform/permissions/formatRole';
import type { InviteNode, MemberNode, RoleNode } from './nodes/accessNodes';
import type { MachineGroupNode } from './nodes/machineGroupNode';
import { statusIcon, statusTitle } from './formatPresence';

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

/** Returns the tree item for a group of machines, with its size, if known. */
export function machineGroupItem({ group, count }: MachineGroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(formatLabel(group));
  item.iconPath = getIcon(group);
  const size = formatSize(group, count);
  if (size !== '') item.description = size;
  item.accessibilityInformation = { label: `${formatLabel(group)}, ${size}` };
  return item;
}

function formatLabel(group: MachineGroupNode['group']): string {
  if (group.type === 'status') return statusTitle(group.status);
  if (group.type === 'unreadable') return vscode.l10n.t("Couldn't read config");
  if (!group.fragment) return vscode.l10n.t('No fragment');
  return toDisplayText(group.fragment.name === '' ? group.fragment.id : group.fragment.name);
}

function getIcon(group: MachineGroupNode['group']): vscode.ThemeIcon {
  if (group.type === 'status') return statusIcon(group.status);
  if (group.type === 'unreadable') return new vscode.ThemeIcon('error');
  return new vscode.ThemeIcon(group.fragment ? 'json' : 'circle-slash');
}

function formatSize(group: MachineGroupNode['group'], count: number | undefined): string {
  if (count !== undefined) {
    return count === 1 ? vscode.l10n.t('1 machine') : vscode.l10n.t('{0} machines', count);
  }
  const parts = group.type === 'fragment' ? (group.fragment?.partCount ?? 0) : 0;
  if (parts === 0) return '';
  return parts === 1 ? vscode.l10n.t('used by 1 part') : vscode.l10n.t('used by {0} parts', parts);
}
