import * as vscode from 'vscode';
import type { ResultStrings } from '../../../shared/query/resultStrings';

/** Returns the strings of a result's column filters. */
export function resultFilterStrings(): ResultStrings['filter'] {
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
