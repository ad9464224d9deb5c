import * as vscode from 'vscode';
import type { ActionStrings } from '../../../../shared/data/actions';

export function actionStrings(): ActionStrings {
  return {
    label: vscode.l10n.t('Selected items'),
    selectedOne: vscode.l10n.t('1 selected'),
    selected: vscode.l10n.t('{0} selected'),
    notKept: vscode.l10n.t(
      'Selections of more than {0} items are cleared when you hide the panel.',
    ),
    selectAll: vscode.l10n.t('Select all {0} matching items'),
    clear: vscode.l10n.t('Clear Selection'),
    more: vscode.l10n.t('More Actions'),
    undo: vscode.l10n.t('Undo'),
    undoHint: vscode.l10n.t('Undo: {0} (Ctrl+Z)'),
    readOnly: vscode.l10n.t("Your API key doesn't have permission to edit this data"),
    actions: {
      addTags: vscode.l10n.t('Add Tags…'),
      removeTags: vscode.l10n.t('Remove Tags…'),
      proposeLabels: vscode.l10n.t('Propose Labels…'),
      addToDataset: vscode.l10n.t('Add to Dataset…'),
      removeFromDataset: vscode.l10n.t('Remove from Dataset…'),
      download: vscode.l10n.t('Download…'),
      delete: vscode.l10n.t('Delete…'),
    },
    hints: {
      addTags: vscode.l10n.t('Add tags to the selected items (T)'),
      removeTags: vscode.l10n.t('Remove tags from the selected items (Shift+T)'),
      proposeLabels: vscode.l10n.t('Use a model to propose labels for the selected images (P)'),
      addToDataset: vscode.l10n.t('Add the selected items to a dataset (D)'),
      removeFromDataset: vscode.l10n.t('Remove the selected items from a dataset (Shift+D)'),
      download: vscode.l10n.t('Download the selected items to a folder (S)'),
      delete: vscode.l10n.t('Delete the selected items (Delete)'),
    },
  };
}
