import * as vscode from 'vscode';
import type { WorkbookStrings } from '../../../core/data/export/xlsx/sheetCell';
import type { ValueLabels } from '../../../core/data/tables/formatCell';
import { formatNumber } from './displayText';

/** Returns the localized strings for exported workbooks. */
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
