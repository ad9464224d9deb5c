import * as vscode from 'vscode';
import type { RegistryItem } from '../../../../core/model/registryItem';
import { toQuickPickText } from '../../../platform/toQuickPickText';
import { REGISTRY_ICONS } from '../../../platform/registryIcons';
import {
  formatPlatform,
  formatRegistryType,
  formatVisibility,
} from '../../../platform/registryText';

/** Row of the list: an item, or an action such as loading more items or retrying. */
export interface SearchItem extends vscode.QuickPickItem {
  readonly item?: RegistryItem;
  readonly act?: 'more' | 'retry';
}

export function searchItem(item: RegistryItem): SearchItem {
  const { id, type, visibility, description, deprecated, versions } = item;
  const newest = versions[0]?.version ?? '';
  const warning = deprecated === undefined ? [] : [`$(warning) ${vscode.l10n.t('deprecated')}`];
  const about = [
    toQuickPickText(newest),
    formatRegistryType(type),
    formatVisibility(visibility),
    ...warning,
  ];
  const platforms = [
    ...new Set(versions[0]?.files.map(({ platform }) => formatPlatform(platform))),
  ].join(', ');
  const details = [description.trim().replace(/\s+/g, ' '), platforms].map(toQuickPickText);
  return {
    item,
    label: toQuickPickText(id),
    description: about.filter((word) => word !== '').join(' · '),
    detail: details.filter((text) => text !== '').join(' · '),
    iconPath: new vscode.ThemeIcon(REGISTRY_ICONS[type]),
    // The service has already matched the item, and not only by its label.
    alwaysShow: true,
  };
}

export function moreItem(): SearchItem {
  return {
    act: 'more',
    label: vscode.l10n.t('More…'),
    iconPath: new vscode.ThemeIcon('ellipsis'),
    alwaysShow: true,
  };
}

export function failedItem(message: string): SearchItem {
  return {
    act: 'retry',
    label: vscode.l10n.t('Retry'),
    detail: toQuickPickText(message),
    iconPath: new vscode.ThemeIcon('error'),
    alwaysShow: true,
  };
}
