import * as vscode from 'vscode';
import type { ResultStrings } from '../../../shared/query/resultStrings';
import { figureStrings } from '../../platform/tableStrings';

/** What the chart of a result says. */
export function resultChartStrings(): ResultStrings['chart'] {
  return {
    label: vscode.l10n.t('Chart of the result'),
    kind: vscode.l10n.t('Draw as'),
    kinds: {
      line: vscode.l10n.t('Lines'),
      bar: vscode.l10n.t('Bars'),
      scatter: vscode.l10n.t('Points'),
    },
    x: vscode.l10n.t('Across'),
    rowNumber: vscode.l10n.t('Row number'),
    chooseY: vscode.l10n.t('Select Columns…'),
    seriesBy: vscode.l10n.t('One for each'),
    noSeries: vscode.l10n.t('(nothing)'),
    chooseHint: vscode.l10n.t('Select which numbers to draw.'),
    noNumbers: vscode.l10n.t('There are no numbers in the rows that came.'),
    nothing: vscode.l10n.t('Nothing in these columns can be drawn.'),
    keys: vscode.l10n.t(
      'Left and right move the cursor, with Shift by ten points. Plus and minus zoom, and 0 shows everything.',
    ),
    loading: vscode.l10n.t('Drawing…'),
    points: vscode.l10n.t('{0} points of {1} rows, from {2} to {3}'),
    bars: vscode.l10n.t('{0} bars of {1} numbers in {2} rows'),
    oneBar: vscode.l10n.t('1 bar of {1} numbers in {2} rows'),
    addedUp: vscode.l10n.t('Numbers with the same bar are added up'),
    part: vscode.l10n.t('Charting {0} of {1} rows'),
    unfinished: vscode.l10n.t('There may be more rows than those that came'),
    thinned: vscode.l10n.t('Drawn with fewer points: the minimum and maximum of each interval'),
    leftOut: vscode.l10n.t(
      '{0} more with fewer points are not drawn. Narrow the query to see them.',
    ),
    mostColumns: vscode.l10n.t('Up to {0} columns are drawn at once.'),
    refresh: vscode.l10n.t('Draw Again'),
    whole: vscode.l10n.t('Show Everything'),
    savePicture: vscode.l10n.t('Save Picture…'),
    ...figureStrings({
      table: vscode.l10n.t('The chart in numbers'),
      series: vscode.l10n.t('Series'),
    }),
  };
}
