import * as vscode from 'vscode';
import type { QueryFrameStrings } from '../../../shared/query/queryFrameStrings';
import { getRecoveryLabels } from '../../platform/webview/recoveryActions';

/** Returns the localized strings of a query panel's frame and editor. */
export function queryFrameStrings(): QueryFrameStrings {
  return {
    tools: {
      label: vscode.l10n.t('Query'),
      organization: vscode.l10n.t('Readings of {0}'),
      language: vscode.l10n.t('Language'),
      languages: { sql: 'SQL', mql: 'MQL' },
      run: vscode.l10n.t('Run'),
      runHint: vscode.l10n.t('Run the query ({0})'),
      runSelection: vscode.l10n.t('Run Selection'),
      runSelectionHint: vscode.l10n.t('Run only the selection ({0})'),
      cancel: vscode.l10n.t('Cancel'),
      cancelHint: vscode.l10n.t('Cancel the query ({0})'),
      recent: vscode.l10n.t('Recent Data Only'),
      recentHint: vscode.l10n.t('Query recent data only (faster)'),
      recentInSql: vscode.l10n.t(
        'To query only recent data, use MQL. In SQL, add a condition on time_received.',
      ),
      insertId: vscode.l10n.t('Insert ID…'),
      insertIdHint: vscode.l10n.t(
        'Select a location, machine, part, or component to insert its ID at the cursor',
      ),
      history: vscode.l10n.t('History'),
      more: vscode.l10n.t('More'),
      save: vscode.l10n.t('Save as File…'),
      open: vscode.l10n.t('Open File…'),
    },
    editor: {
      label: vscode.l10n.t('Query in {0}'),
      keys: vscode.l10n.t(
        'Ctrl+Space shows suggestions, F8 goes to the next problem, Ctrl+. shows fixes, and Ctrl+F searches. To leave the editor, press Escape and then Tab.',
      ),
      completions: vscode.l10n.t('Completions'),
      placeholder: vscode.l10n.t('Write a query. Press {0} for suggestions.'),
    },
    search: {
      find: vscode.l10n.t('Find'),
      replaceWith: vscode.l10n.t('Replace with'),
      next: vscode.l10n.t('Next'),
      previous: vscode.l10n.t('Previous'),
      all: vscode.l10n.t('Select All'),
      matchCase: vscode.l10n.t('Match Case'),
      pattern: vscode.l10n.t('Regular Expression'),
      wholeWord: vscode.l10n.t('Whole Words'),
      replace: vscode.l10n.t('Replace'),
      replaceAll: vscode.l10n.t('Replace All'),
      close: vscode.l10n.t('Close'),
      currentMatch: vscode.l10n.t('Match'),
      onLine: vscode.l10n.t('on line'),
    },
    problems: {
      label: vscode.l10n.t('Query problems'),
      warnings: vscode.l10n.t('Warnings and notes'),
      foldedWarnings: vscode.l10n.t('{0} warnings: {1}'),
      foldedNotes: vscode.l10n.t('{0} warnings and notes: {1}'),
      unfoldedWarnings: vscode.l10n.t('{0} warnings'),
      unfoldedNotes: vscode.l10n.t('{0} warnings and notes'),
      unfold: vscode.l10n.t('Show or hide warnings'),
      severities: {
        error: vscode.l10n.t('Error'),
        warning: vscode.l10n.t('Warning'),
        information: vscode.l10n.t('Information'),
      },
      goTo: vscode.l10n.t('Go to: {0}'),
      lineAndColumn: vscode.l10n.t('line {0}, column {1}'),
    },
    parameters: {
      label: vscode.l10n.t('Parameters'),
      value: vscode.l10n.t('Value of {0}'),
      choose: vscode.l10n.t('Select…'),
      chooseHint: vscode.l10n.t('Select the value of {0} from the fleet'),
    },
    splitter: vscode.l10n.t('Editor height'),
    history: queryHistoryStrings(),
    empty: {
      title: vscode.l10n.t('Run a query to see results here.'),
      hint: vscode.l10n.t('Write and run a query, or start from an example:'),
      examples: {
        latest: vscode.l10n.t('The latest readings'),
        perHour: vscode.l10n.t('Readings per Hour and Component'),
        ofPart: vscode.l10n.t('Readings of one part'),
      },
    },
    ways: getRecoveryLabels(),
    states: {
      cannotRun: vscode.l10n.t("Queries aren't available: {0}"),
      nothingToRun: vscode.l10n.t('There is no query to run.'),
      nothingSelected: vscode.l10n.t('First, select the part of the query to run.'),
      dismiss: vscode.l10n.t('Dismiss'),
    },
  };
}

/** Returns the localized strings of the query history. */
function queryHistoryStrings(): QueryFrameStrings['history'] {
  return {
    label: vscode.l10n.t('Recent queries'),
    search: vscode.l10n.t('Search earlier queries'),
    list: vscode.l10n.t('Recent queries, newest first'),
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
