import * as vscode from 'vscode';
import { inRoleOrder } from '../../../core/model/access';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { rolesSummary, formatRole } from '../../platform/formatRole';
import type { ApiKeyNode } from './nodes/apiKeyNode';

// Tree items of API keys.

export function apiKeyItem({ target, apiKey, isInUse }: ApiKeyNode): vscode.TreeItem {
  const label = toDisplayText(target.name);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon('key');
  const roles = rolesSummary(apiKey.roles);
  item.description = isInUse ? `${vscode.l10n.t('in use')} · ${roles}` : roles;
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

/** Formats the roles of a key. Reads the names of their resources if necessary. */
export async function apiKeyRoles(node: ApiKeyNode): Promise<readonly string[]> {
  const names = await node.resourceNames();
  return inRoleOrder(node.apiKey.roles).map((role) =>
    formatRole(role, names.get(role.resourceId) ?? role.resourceId),
  );
}
