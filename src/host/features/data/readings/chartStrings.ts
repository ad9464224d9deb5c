import * as vscode from 'vscode';
import type { ReadingStrings } from '../../../../shared/data/readingStrings';
import { figureStrings } from '../../../platform/tableStrings';

/** What the chart and the latest values say. */
export function chartStrings(): Pick<ReadingStrings, 'chart' | 'latest'> {
  return {
    chart: {
      label: vscode.l10n.t('Readings over time'),
      choose: vscode.l10n.t('Select Columns…'),
      chooseHint: vscode.l10n.t('Select which numbers to draw.'),
      noNumbers: vscode.l10n.t('The loaded readings contain no numbers.'),
      keys: vscode.l10n.t(
        'Left and right move the cursor, with Shift by ten points. Plus and minus zoom, and 0 shows the whole span.',
      ),
      points: vscode.l10n.t('{0} points from {1} to {2}'),
      rows: vscode.l10n.t('From the {0} of {1} readings loaded so far'),
      thinned: vscode.l10n.t('Drawn with fewer points: the minimum and maximum of each interval'),
      leftOut: vscode.l10n.t('{0} more lines are not drawn. Narrow the filter to see them.'),
      mostColumns: vscode.l10n.t('Up to {0} columns are drawn at once.'),
      ...figureStrings({
        table: vscode.l10n.t('The lines in numbers'),
        series: vscode.l10n.t('Line'),
      }),
      wholeSpan: vscode.l10n.t('Whole Span'),
      nothing: vscode.l10n.t('Nothing in these columns can be drawn.'),
    },
    latest: {
      label: vscode.l10n.t('Latest value of each resource'),
      resource: vscode.l10n.t('Resource'),
      method: vscode.l10n.t('Method'),
      when: vscode.l10n.t('When'),
      value: vscode.l10n.t('Value'),
      nothing: vscode.l10n.t('Nothing within the last year'),
      among: vscode.l10n.t('{0} resources in the {1} readings loaded so far'),
      refresh: vscode.l10n.t('Refresh'),
    },
  };
}
