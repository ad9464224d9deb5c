import * as vscode from 'vscode';
import type { QueryFrameStrings } from '../../../shared/query/queryFrameStrings';

/** Returns the localized strings of the query history. */
export function queryHistoryStrings(): QueryFrameStrings['history'] {
  return {
    label: vscode.l10n.t('Earlier queries'),
    search: vscode.l10n.t('Search earlier queries'),
    list: vscode.l10n.t('Earlier queries, newest first'),
    keys: vscode.l10n.t(
      'Arrow keys move, Enter loads the query into the editor, Ctrl+Enter runs it again, and Delete removes it.',
    ),
    text: vscode.l10n.t('Query text'),
    use: vscode.l10n.t('Use'),
    useHint: vscode.l10n.t('Load into the Editor'),
    runAgain: vscode.l10n.t('Run Again'),
    runAgainHint: vscode.l10n.t('Load into the Editor and Run'),
    forget: vscode.l10n.t('Remove'),
    forgetHint: vscode.l10n.t('Remove from history'),
    forgetAll: vscode.l10n.t('Clear All'),
    forgetAllHint: vscode.l10n.t('Remove all queries of this connection from the history'),
    close: vscode.l10n.t('Close'),
    loading: vscode.l10n.t('Loading the history…'),
    countOne: vscode.l10n.t('{0} query'),
    count: vscode.l10n.t('{0} queries'),
    nothingFound: vscode.l10n.t('No matching queries.'),
    nothingYet: vscode.l10n.t('Queries you run appear here.'),
    historyOff: vscode.l10n.t(
      'Queries are not saved because the setting fleetwright.query.history is off.',
    ),
    ranAt: vscode.l10n.t('{0}, {1}'),
    rowsOne: vscode.l10n.t('{0} row'),
    rows: vscode.l10n.t('{0} rows'),
    unfinished: vscode.l10n.t('not finished'),
  };
}
