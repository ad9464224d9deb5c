import * as vscode from 'vscode';
import type { HistoryStrings } from '../../../shared/history';
import { getRecoveryLabels } from '../../platform/wayOut';

/** Returns the localized strings of the panel. */
export function historyStrings(): HistoryStrings {
  return {
    heading: vscode.l10n.t('History'),
    unnamed: vscode.l10n.t('History'),
    columns: {
      select: vscode.l10n.t('Select'),
      time: vscode.l10n.t('Time'),
      editor: vscode.l10n.t('Editor'),
      change: vscode.l10n.t('Change'),
      actions: vscode.l10n.t('Actions'),
    },
    compareSelected: vscode.l10n.t('Compare Selected'),
    compareHint: vscode.l10n.t('Select two versions to compare them.'),
    compareWithCurrent: vscode.l10n.t('Compare'),
    showChange: vscode.l10n.t('Changes'),
    compareWithCurrentHint: vscode.l10n.t('Compare this version with the current one'),
    showChangeHint: vscode.l10n.t('Show what this edit changed'),
    restoreHint: vscode.l10n.t('Restore this version'),
    restore: vscode.l10n.t('Restore'),
    refresh: vscode.l10n.t('Refresh'),
    loadMore: vscode.l10n.t('Load More'),
    ...getRecoveryLabels(),
    loading: vscode.l10n.t('Loading the history…'),
    empty: vscode.l10n.t('Nothing has been changed yet.'),
    failed: vscode.l10n.t("Couldn't load the history."),
    current: vscode.l10n.t('current'),
    beginning: vscode.l10n.t('Beginning'),
    unknownEditor: vscode.l10n.t('unknown'),
    notStored: vscode.l10n.t('The service no longer has this version.'),
    moreChanges: vscode.l10n.t('Show all changes'),
    // The webview fills in the time and editor.
    selectRow: vscode.l10n.t('Select the version from {0} by {1}'),
  };
}
