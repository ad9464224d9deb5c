import * as vscode from 'vscode';
import type { ResultStrings } from '../../../../shared/query/resultStrings';
import {
  chooserStrings,
  getFigureStrings,
  tableToolStrings,
  viewerStrings,
} from '../../../platform/text/tableStrings';

/** Returns the localized strings of a query result. */
export function resultStrings(): ResultStrings {
  return {
    views: {
      label: vscode.l10n.t('Show the result as'),
      table: vscode.l10n.t('Table'),
      tree: vscode.l10n.t('JSON'),
      chart: vscode.l10n.t('Chart'),
    },
    run: {
      statement: vscode.l10n.t('Statement that was run'),
      unfold: vscode.l10n.t('Show the whole statement'),
      panel: vscode.l10n.t('Query panel'),
      fileLine: vscode.l10n.t('{0}, line {1}'),
      fileLines: vscode.l10n.t('{0}, lines {1}–{2}'),
      ranAt: vscode.l10n.t('Run on {0}'),
      showSource: vscode.l10n.t('View Source'),
      showSourceHint: vscode.l10n.t('Show the lines of the file that were run'),
      notSaved: vscode.l10n.t(
        'The rows were discarded when the window was reloaded. Run the statement again to view them.',
      ),
      runAgain: vscode.l10n.t('Run Again'),
      runAgainHint: vscode.l10n.t('Run this statement again, with the same values'),
    },
    tools: {
      ...tableToolStrings({
        label: vscode.l10n.t('Result'),
        exportHint: vscode.l10n.t(
          'Export all rows of the query to a file, including rows that are not shown',
        ),
      }),
      find: vscode.l10n.t('Find in rows'),
      filter: vscode.l10n.t('Filter…'),
      filterHint: vscode.l10n.t('Show only rows with specific values in a column'),
      originalOrder: vscode.l10n.t('Order as Returned by the Query'),
    },
    kinds: {
      number: vscode.l10n.t('Number'),
      text: vscode.l10n.t('Text'),
      boolean: vscode.l10n.t('True or false'),
      time: vscode.l10n.t('Time'),
      null: vscode.l10n.t('Null'),
      json: vscode.l10n.t('JSON'),
      binary: vscode.l10n.t('Binary'),
      list: vscode.l10n.t('List'),
      object: vscode.l10n.t('Object'),
    },
    table: {
      label: vscode.l10n.t('Result rows'),
      loading: vscode.l10n.t('Loading…'),
      keys: vscode.l10n.t(
        'Arrow keys move between cells, Shift+arrow keys select rows, Enter shows the whole cell, Shift+Enter expands a list below its row, Alt+Down filters by the column, and Ctrl+C copies. On a header, Enter sorts, Shift+Left and Shift+Right change the width, and Alt+Left and Alt+Right move the column.',
      ),
      sortHint: vscode.l10n.t('Sort by {0}'),
      resize: vscode.l10n.t('Drag to change the width'),
      filterHint: vscode.l10n.t('Filter by {0}'),
      filtered: vscode.l10n.t('Filtered'),
    },
    columns: chooserStrings(),
    viewer: {
      ...viewerStrings({ emptyContent: vscode.l10n.t('This row has no value in this column.') }),
      showTree: vscode.l10n.t('Show as Tree'),
    },
    ...stateStrings(),
    filter: resultFilterStrings(),
    tree: {
      label: vscode.l10n.t('Rows of the result as JSON'),
      keys: vscode.l10n.t(
        'Up and Down move, Right expands and Left collapses, Enter shows the whole row, and Ctrl+C copies it.',
      ),
      unfolded: vscode.l10n.t('{0} in row {1}, expanded'),
      unfoldedKeys: vscode.l10n.t(
        'Up and Down move, Right expands and Left collapses, Enter shows the whole cell, and Escape returns to the table.',
      ),
      row: vscode.l10n.t('Row {0}'),
      items: vscode.l10n.t('{0} items'),
      oneItem: vscode.l10n.t('1 item'),
      fields: vscode.l10n.t('{0} fields'),
      oneField: vscode.l10n.t('1 field'),
      more: vscode.l10n.t('Show more ({0} of {1} shown)'),
    },
    chart: resultChartStrings(),
  };
}

function stateStrings(): Pick<ResultStrings, 'states' | 'status'> {
  return {
    states: {
      waiting: vscode.l10n.t('Waiting for the first row…'),
      empty: vscode.l10n.t('The query returned no rows.'),
      emptyHint: vscode.l10n.t('Broaden the query conditions.'),
      timeBoundHint: vscode.l10n.t(
        'Add a lower bound on time_received. Without one, some clouds return no rows.',
      ),
      nothingFound: vscode.l10n.t('No rows contain "{0}".'),
      nothingMatches: vscode.l10n.t('No rows match the filter.'),
      nothingMatchesAndFound: vscode.l10n.t('No rows match the filter and contain "{0}".'),
      clearFilters: vscode.l10n.t('Clear Filters'),
      clearSearch: vscode.l10n.t('Clear Search'),
      editQuery: vscode.l10n.t('Edit Query'),
      canceled: vscode.l10n.t('Canceled before the first row arrived.'),
      failed: vscode.l10n.t('The query failed.'),
      failureListed: vscode.l10n.t('The query failed. See the error below the editor.'),
      notRead: vscode.l10n.t("Couldn't read the result. {0}"),
      retry: vscode.l10n.t('Retry'),
      actions: {
        retry: vscode.l10n.t('Retry'),
        signIn: vscode.l10n.t('Sign In'),
        trustAuthority: vscode.l10n.t('Trust Certificate Authority…'),
        startLocalFleet: vscode.l10n.t('Start Local Fleet'),
        showLog: vscode.l10n.t('Show Log'),
      },
    },
    status: {
      cancel: vscode.l10n.t('Cancel'),
      runningOne: vscode.l10n.t('1 row so far'),
      running: vscode.l10n.t('{0} rows so far'),
      allOne: vscode.l10n.t('Showing the only row'),
      all: vscode.l10n.t('Showing all {0} rows'),
      full: vscode.l10n.t('Showing the first {0} rows. Export All writes the full result.'),
      fullPart: vscode.l10n.t(
        'Only the first {0} rows are available. Export All writes the full result.',
      ),
      canceledOne: vscode.l10n.t('Canceled after 1 row. There might be more rows.'),
      canceled: vscode.l10n.t('Canceled after {0} rows. There might be more rows.'),
      failedOne: vscode.l10n.t('Failed after 1 row. {1}'),
      failed: vscode.l10n.t('Failed after {0} rows. {1}'),
      seeProblemList: vscode.l10n.t('See the error below the editor.'),
      found: vscode.l10n.t('Showing {0} of {1} rows that contain "{2}"'),
      filtered: vscode.l10n.t('Showing {0} of {1} rows that match the filter'),
      filteredAndFound: vscode.l10n.t(
        'Showing {0} of {1} rows that match the filter and contain "{2}"',
      ),
      finding: vscode.l10n.t('Searching…'),
      filtering: vscode.l10n.t('Filtering…'),
      sorting: vscode.l10n.t('Sorting…'),
      sortedSome: vscode.l10n.t('Sorted within the first {0} of {1} rows received so far'),
      sorted: vscode.l10n.t('Sorted by {0}'),
      overflow: vscode.l10n.t("Some values aren't shown in columns because there are too many."),
      selectedOne: vscode.l10n.t('1 row selected'),
      selected: vscode.l10n.t('{0} rows selected'),
      elapsed: vscode.l10n.t('{0} in total'),
      elapsedSoFar: vscode.l10n.t('{0} so far'),
      firstRow: vscode.l10n.t('first row after {0}'),
      checkAgain: vscode.l10n.t('Check Again'),
    },
  };
}

/** Returns the strings of a result's chart. */
function resultChartStrings(): ResultStrings['chart'] {
  return {
    label: vscode.l10n.t('Result chart'),
    kind: vscode.l10n.t('Chart type'),
    kinds: {
      line: vscode.l10n.t('Lines'),
      bar: vscode.l10n.t('Bars'),
      scatter: vscode.l10n.t('Points'),
    },
    x: vscode.l10n.t('X-axis'),
    rowNumber: vscode.l10n.t('Row number'),
    chooseY: vscode.l10n.t('Select Columns…'),
    seriesBy: vscode.l10n.t('Split into series by'),
    noSeries: vscode.l10n.t("Don't Split"),
    chooseHint: vscode.l10n.t('Select the numbers to chart.'),
    noNumbers: vscode.l10n.t('The loaded rows contain no numbers.'),
    noData: vscode.l10n.t('These columns have no values to chart.'),
    keys: vscode.l10n.t(
      'Left and Right move the cursor; with Shift, they move it by ten points. Plus and minus zoom, and 0 shows everything.',
    ),
    loading: vscode.l10n.t('Drawing…'),
    points: vscode.l10n.t('{0} points in {1} rows, from {2} to {3}'),
    bars: vscode.l10n.t('{0} bars showing {1} numbers from {2} rows'),
    oneBar: vscode.l10n.t('1 bar showing {1} numbers from {2} rows'),
    addedUp: vscode.l10n.t('Numbers in the same bar are added up'),
    part: vscode.l10n.t('Charting {0} of {1} rows'),
    unfinished: vscode.l10n.t('The query might return more rows than were received'),
    thinned: vscode.l10n.t('Downsampled to the minimum and maximum of each interval'),
    leftOut: vscode.l10n.t(
      '{0} more series with fewer points are not drawn. Narrow the query to see them.',
    ),
    mostColumns: vscode.l10n.t('A chart can show up to {0} columns.'),
    refresh: vscode.l10n.t('Redraw'),
    whole: vscode.l10n.t('Show Everything'),
    savePicture: vscode.l10n.t('Save Image…'),
    ...getFigureStrings({
      table: vscode.l10n.t('Chart values'),
      series: vscode.l10n.t('Series'),
    }),
  };
}

/** Returns the strings of a result's column filters. */
function resultFilterStrings(): ResultStrings['filter'] {
  return {
    label: vscode.l10n.t('Filter by a column'),
    list: vscode.l10n.t('Filters'),
    column: vscode.l10n.t('Column'),
    condition: vscode.l10n.t('Condition'),
    conditions: {
      contains: vscode.l10n.t('contains'),
      containsNot: vscode.l10n.t("doesn't contain"),
      equals: vscode.l10n.t('is'),
      equalsNot: vscode.l10n.t('is not'),
      greater: vscode.l10n.t('is above'),
      atLeast: vscode.l10n.t('is at least'),
      less: vscode.l10n.t('is below'),
      atMost: vscode.l10n.t('is at most'),
      between: vscode.l10n.t('is between'),
      empty: vscode.l10n.t('is empty'),
      notEmpty: vscode.l10n.t('is not empty'),
    },
    sentences: {
      contains: vscode.l10n.t('{0} contains "{1}"'),
      containsNot: vscode.l10n.t('{0} doesn\'t contain "{1}"'),
      equals: vscode.l10n.t('{0} is "{1}"'),
      equalsNot: vscode.l10n.t('{0} is not "{1}"'),
      greater: vscode.l10n.t('{0} > {1}'),
      atLeast: vscode.l10n.t('{0} ≥ {1}'),
      less: vscode.l10n.t('{0} < {1}'),
      atMost: vscode.l10n.t('{0} ≤ {1}'),
      between: vscode.l10n.t('{0} from {1} to {2}'),
      empty: vscode.l10n.t('{0} is empty'),
      notEmpty: vscode.l10n.t('{0} is not empty'),
    },
    value: vscode.l10n.t('Value'),
    upTo: vscode.l10n.t('Up to'),
    hint: vscode.l10n.t(
      'Numbers are compared by value. Times such as 2026-11-21T12:30 are compared chronologically in UTC, and 2026-11-21 is the whole day. Other text is compared alphabetically, ignoring case.',
    ),
    missing: vscode.l10n.t('Enter a value to compare with.'),
    noTime: vscode.l10n.t(
      '"{0}" is not a valid time. Use a date or a time, for example 2026-11-21 or 2026-11-21T12:30.',
    ),
    apply: vscode.l10n.t('Apply'),
    remove: vscode.l10n.t('Remove'),
    close: vscode.l10n.t('Close'),
    change: vscode.l10n.t('Change the filter: {0}'),
    removeOne: vscode.l10n.t('Remove the filter: {0}'),
    unused: vscode.l10n.t('{0} (not in this result)'),
    clear: vscode.l10n.t('Clear Filters'),
  };
}
