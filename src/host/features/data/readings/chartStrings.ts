import * as vscode from 'vscode';
import type { ReadingStrings } from '../../../../shared/data/readingStrings';
import { getFigureStrings } from '../../../platform/tableStrings';

/** Returns the strings of the chart and the latest values. */
export function chartStrings(): Pick<ReadingStrings, 'chart' | 'latest'> {
  return {
    chart: {
      label: vscode.l10n.t('Readings over time'),
      choose: vscode.l10n.t('Select Columns…'),
      chooseHint: vscode.l10n.t('Select the numbers to chart.'),
      noNumbers: vscode.l10n.t('The loaded readings contain no numbers.'),
      keys: vscode.l10n.t(
        'Left and Right move the cursor; with Shift, they move it by ten points. Plus and minus zoom, and 0 shows everything.',
      ),
      points: vscode.l10n.t('{0} points from {1} to {2}'),
      rows: vscode.l10n.t('From the {0} of {1} readings loaded so far'),
      thinned: vscode.l10n.t('Downsampled to the minimum and maximum of each interval'),
      leftOut: vscode.l10n.t('{0} more series are not drawn. Narrow the filter to see them.'),
      mostColumns: vscode.l10n.t('A chart can show up to {0} columns.'),
      ...getFigureStrings({
        table: vscode.l10n.t('Chart line values'),
        series: vscode.l10n.t('Series'),
      }),
      wholeSpan: vscode.l10n.t('Entire Range'),
      noData: vscode.l10n.t('These columns have no values to chart.'),
    },
    latest: {
      label: vscode.l10n.t('Latest value of each resource'),
      resource: vscode.l10n.t('Resource'),
      method: vscode.l10n.t('Method'),
      when: vscode.l10n.t('Time'),
      value: vscode.l10n.t('Value'),
      noData: vscode.l10n.t('No data within the last year'),
      among: vscode.l10n.t('{0} resources in the {1} readings loaded so far'),
      refresh: vscode.l10n.t('Refresh'),
    },
  };
}
