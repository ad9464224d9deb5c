import * as vscode from 'vscode';
import type {
  ChartTableStrings,
  ChooserStrings,
  TableToolStrings,
  ViewerStrings,
} from '../../../shared/tables';
import type { WorkbookStrings } from '../../../core/data/export/xlsx/sheetCell';
import type { ValueLabels } from '../../../core/data/tables/formatCell';
import { formatNumber } from './displayText';

/** Returns the strings for the actions of all tables. */
export function tableToolStrings(
  own: Pick<TableToolStrings, 'label' | 'exportHint'>,
): TableToolStrings {
  return {
    ...own,
    columns: vscode.l10n.t('Columns…'),
    exportAll: vscode.l10n.t('Export All…'),
    more: vscode.l10n.t('More'),
    copyCell: vscode.l10n.t('Copy Cell'),
    copyRows: vscode.l10n.t('Copy Rows with Headers'),
    copyRowsAsJson: vscode.l10n.t('Copy Rows as JSON'),
    copyRowsAsMarkdown: vscode.l10n.t('Copy Rows as Markdown'),
  };
}

/** Returns the strings of a column list. */
export function chooserStrings(): ChooserStrings {
  return {
    label: vscode.l10n.t('Columns'),
    search: vscode.l10n.t('Find columns'),
    showAll: vscode.l10n.t('Show All'),
    hideAll: vscode.l10n.t('Hide All'),
    close: vscode.l10n.t('Close'),
    unlistedColumns: vscode.l10n.t('{0} more match. Type more of the name to see them.'),
    none: vscode.l10n.t('No column name contains this text.'),
  };
}

/** Returns the strings for viewing a whole cell or row. */
export function viewerStrings(own: Pick<ViewerStrings, 'emptyContent'>): ViewerStrings {
  return {
    ...own,
    cell: vscode.l10n.t('{0} in row {1}'),
    row: vscode.l10n.t('Row {0}'),
    showRow: vscode.l10n.t('Whole Row'),
    copy: vscode.l10n.t('Copy'),
    close: vscode.l10n.t('Close'),
    shortened: vscode.l10n.t('The first {0} of {1} characters. Copy includes all of them.'),
  };
}

/** Returns the strings of a chart's statistics. */
export function getFigureStrings(
  own: Pick<ChartTableStrings, 'table' | 'series'>,
): ChartTableStrings {
  return {
    ...own,
    count: vscode.l10n.t('Points'),
    least: vscode.l10n.t('Minimum'),
    greatest: vscode.l10n.t('Maximum'),
    mean: vscode.l10n.t('Mean'),
    first: vscode.l10n.t('First'),
    last: vscode.l10n.t('Last'),
  };
}

/** Returns the localized strings of exported workbooks. */
export function workbookStrings(): WorkbookStrings {
  return {
    rows: vscode.l10n.t('Rows'),
    columns: vscode.l10n.t('Columns'),
    column: vscode.l10n.t('Column'),
    types: vscode.l10n.t('Types'),
    truncatedTexts: vscode.l10n.t('Truncated text values'),
    truncated: vscode.l10n.t('… ({0} characters)'),
    typeNames: {
      text: vscode.l10n.t('text'),
      boolean: vscode.l10n.t('boolean'),
      number: vscode.l10n.t('number'),
      integer: vscode.l10n.t('integer'),
      time: vscode.l10n.t('timestamp in UTC'),
      date: vscode.l10n.t('date'),
      json: vscode.l10n.t('JSON'),
      binary: vscode.l10n.t('binary'),
      null: vscode.l10n.t('null'),
      numberAsText: vscode.l10n.t('number (as text)'),
      integerAsText: vscode.l10n.t('integer (as text)'),
      decimalAsText: vscode.l10n.t('decimal (as text)'),
      timeAsText: vscode.l10n.t('timestamp in UTC (as text)'),
      dateAsText: vscode.l10n.t('date (as text)'),
    },
  };
}

/** Returns the table labels for values that don't fit into a cell. */
export function getValueLabels(): ValueLabels {
  return {
    items: (count) => vscode.l10n.t('[{0} items]', formatNumber(count)),
    bytes: (count) =>
      count === 1 ? vscode.l10n.t('[1 byte]') : vscode.l10n.t('[{0} bytes]', formatNumber(count)),
  };
}
