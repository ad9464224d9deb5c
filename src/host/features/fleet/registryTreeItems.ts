import * as vscode from 'vscode';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { RegistryFilter, VersionFile } from '../../../core/model/registryItem';
import { relativeTime } from '../../../core/model/presence';
import { formatBytes } from '../../platform/text/displayText';
import {
  formatPlatform,
  formatRegistryStatus,
  formatRegistryType,
  formatVisibility,
  REGISTRY_ICONS,
} from '../../platform/text/registryText';
import type {
  ModuleModelNode,
  RegistryFileNode,
  RegistryFolderNode,
  RegistryItemNode,
  RegistryVersionNode,
} from './nodes/registryNodes';

// Tree items of registry items and their contents.

/** Maximum number of platforms to list; the rest are only counted. */
const MAX_PLATFORMS = 3;

/** Returns the tree item for a folder, with its filter as the description. */
export function registryFolderItem({ kind, filter }: RegistryFolderNode): vscode.TreeItem {
  const label = kind === 'modules' ? vscode.l10n.t('Modules') : vscode.l10n.t('Models and Scripts');
  return itemWith(label, kind === 'modules' ? 'extensions' : 'beaker', [
    ...(filter ? [vscode.l10n.t('filtered: {0}', formatRegistryFilter(filter))] : []),
  ]);
}

export function registryItemItem({ item }: RegistryItemNode): vscode.TreeItem {
  const [newest] = item.versions;
  return itemWith(displayName(item), REGISTRY_ICONS[item.type], [
    ...(newest ? [toDisplayText(newest.version)] : []),
    ...(item.type === 'module' ? [] : [formatRegistryType(item.type)]),
    formatVisibility(item.visibility),
    ...(item.status === 'inDevelopment' ? [formatRegistryStatus(item.status)] : []),
    ...(item.isDraft ? [vscode.l10n.t('draft')] : []),
    ...(item.deprecated === undefined ? [] : [vscode.l10n.t('deprecated')]),
  ]);
}

export function registryVersionItem({ version }: RegistryVersionNode, now: Date): vscode.TreeItem {
  const { createdAt, deprecated, files } = version;
  return itemWith(toDisplayText(version.version), 'tag', [
    ...(files.length > 0 ? [formatPlatforms(files)] : []),
    ...(createdAt ? [relativeTime(createdAt, now, vscode.env.language)] : []),
    ...(deprecated === undefined ? [] : [vscode.l10n.t('deprecated')]),
  ]);
}

export function registryFileItem({ file }: RegistryFileNode, now: Date): vscode.TreeItem {
  const { platform, sizeBytes, createdOn } = file;
  return itemWith(toDisplayText(formatPlatform(platform)), 'file-zip', [
    ...(sizeBytes === undefined ? [] : [formatBytes(sizeBytes)]),
    ...(createdOn ? [relativeTime(createdOn, now, vscode.env.language)] : []),
  ]);
}

export function moduleModelsItem(): vscode.TreeItem {
  return itemWith(vscode.l10n.t('Models'), 'list-tree', []);
}

export function moduleModelItem({ model }: ModuleModelNode): vscode.TreeItem {
  return itemWith(toDisplayText(model.model), 'plug', [toDisplayText(model.api)]);
}

/** Formats a filter, such as `public, linux/arm64`. */
function formatRegistryFilter(filter: RegistryFilter): string {
  const { types, visibilities, statuses, platforms } = filter;
  const either = new Intl.ListFormat(vscode.env.language, { type: 'disjunction' });
  const groups = [
    types.map(formatRegistryType),
    visibilities.map(formatVisibility),
    statuses.map(formatRegistryStatus),
    platforms.map((platform) => toDisplayText(formatPlatform(platform))),
  ];
  return groups
    .filter((labels) => labels.length > 0)
    .map((labels) => either.format(labels))
    .join(' · ');
}

function formatPlatforms(files: readonly VersionFile[]): string {
  const named = files.slice(0, MAX_PLATFORMS).map(({ platform }) => formatPlatform(platform));
  const more = files.length - named.length;
  const others = more > 0 ? [vscode.l10n.t('{0} more', more)] : [];
  return [...named.map((name) => toDisplayText(name)), ...others].join(', ');
}

function itemWith(label: string, icon: string, facts: readonly string[]): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon(icon);
  const known = facts.filter((fact) => fact !== '');
  if (known.length > 0) {
    item.description = known.join(' · ');
    item.accessibilityInformation = { label: [label, ...known].join(', ') };
  }
  return item;
}
