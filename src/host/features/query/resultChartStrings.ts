import * as vscode from 'vscode';
import type { ResultStrings } from '../../../shared/query/resultStrings';
import { getFigureStrings } from '../../platform/tableStrings';

/** Returns the strings of a result's chart. */
export function resultChartStrings(): ResultStrings['chart'] {
  return {
    label: vscode.l10n.t('Chart of the result'),
    kind: vscode.l10n.t('Chart type'),
    kinds: {
      line: vscode.l10n.t('Lines'),
      bar: vscode.l10n.t('Bars'),
      scatter: vscode.l10n.t('Points'),
    },
    x: vscode.l10n.t('X-axis'),
    rowNumber: vscode.l10n.t('Row number'),
    chooseY: vscode.l10n.t('Select Columns…'),
    seriesBy: vscode.l10n.t('Split into Series By'),
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
