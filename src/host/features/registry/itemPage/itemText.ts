import * as vscode from 'vscode';
import type { RegistryItem, RegistryItemType } from '../../../../core/model/registryItem';

/** What an item is, as a word. */
export function itemTypeText(type: RegistryItemType): string {
  switch (type) {
    case 'module':
      return vscode.l10n.t('module');
    case 'mlModel':
      return vscode.l10n.t('model');
    case 'trainingScript':
      return vscode.l10n.t('training script');
    case 'slamMap':
      return vscode.l10n.t('map');
    case 'archive':
      return vscode.l10n.t('archive');
    case 'unknown':
      return vscode.l10n.t('package');
  }
}

/** Who may see and use an item. */
export function itemVisibilityText(visibility: RegistryItem['visibility']): string {
  switch (visibility) {
    case 'private':
      return vscode.l10n.t('private');
    case 'public':
      return vscode.l10n.t('public');
    case 'publicUnlisted':
      return vscode.l10n.t('public, unlisted');
    case 'unknown':
      return vscode.l10n.t('unknown visibility');
  }
}
