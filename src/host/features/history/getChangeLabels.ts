import * as vscode from 'vscode';
import type { ChangeLabels } from './describeChange';

/** Returns the localized phrases for changes. */
export function getChangeLabels(): ChangeLabels {
  return {
    firstVersion: vscode.l10n.t('First version'),
    unknown: vscode.l10n.t('Unknown'),
    onlyLayout: vscode.l10n.t('Formatting only'),
    everything: vscode.l10n.t('The whole document'),
    renamed: (from, to) => vscode.l10n.t('Renamed from {0} to {1}', from, to),
    added: (where) => vscode.l10n.t('{0} added', where),
    removed: (where) => vscode.l10n.t('{0} removed', where),
    changed: (where) => vscode.l10n.t('{0} changed', where),
    andMore: (first, others) => vscode.l10n.t('{0} and {1} more', first, others),
    more: (hidden) => vscode.l10n.t('{0} more', hidden),
  };
}
