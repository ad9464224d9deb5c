import * as vscode from 'vscode';
import type { ItemStrings } from '../../../../shared/data/itemStrings';

export function itemStrings(): ItemStrings {
  return {
    loading: vscode.l10n.t('Loading…'),
    failed: vscode.l10n.t('Could not be read: {0}'),
    empty: vscode.l10n.t('Nothing here matches the filter.'),
    emptyHint: vscode.l10n.t('Widen the filter, or upload something.'),
  };
}
