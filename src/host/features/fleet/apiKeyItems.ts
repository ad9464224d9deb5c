import * as vscode from 'vscode';
import { inRoleOrder } from '../../../core/model/access';
import { displayText } from '../../../core/model/displayText';
import { rolesSummary, roleText } from '../../platform/roleText';
import type { ApiKeyNode } from './nodes/apiKeyNode';

// Tree items of API keys.

export function apiKeyItem({ target, apiKey, isInUse }: ApiKeyNode): vscode.TreeItem {
  const label = displayText(target.name);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon('key');
  const roles = rolesSummary(apiKey.roles);
  item.description = isInUse ? `${vscode.l10n.t('in use')} · ${roles}` : roles;
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

/** Formats the roles of a key; reads the names of their resources if necessary. */
export async function apiKeyRoles(node: ApiKeyNode): Promise<readonly string[]> {
  const names = await node.resourceNames();
  return inRoleOrder(node.apiKey.roles).map((role) =>
    roleText(role, names.get(role.resourceId) ?? role.resourceId),
  );
}
