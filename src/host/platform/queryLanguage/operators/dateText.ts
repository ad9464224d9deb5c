import * as vscode from 'vscode';

/** What an operator computes of times. */
export function dateText(name: string): string | undefined {
  switch (name) {
    case '$dateTrunc':
      return vscode.l10n.t('The beginning of the hour, day or other unit that a time is in.');
    case '$dateToString':
      return vscode.l10n.t('A time as text, by a format such as {0}.', '%Y-%m-%d');
    case '$dateFromString':
      return vscode.l10n.t('The time that a text says.');
    case '$dateToParts':
      return vscode.l10n.t('The parts of a timestamp (year, month, day, and so on) as an object.');
    case '$dateFromParts':
      return vscode.l10n.t('A time from year, month, day and so on.');
    case '$dateAdd':
      return vscode.l10n.t('A time so much later.');
    case '$dateSubtract':
      return vscode.l10n.t('A time so much earlier.');
    case '$dateDiff':
      return vscode.l10n.t('How many units are between two times.');
    case '$year':
    case '$month':
    case '$week':
    case '$dayOfMonth':
    case '$dayOfWeek':
    case '$dayOfYear':
    case '$hour':
    case '$minute':
    case '$second':
    case '$millisecond':
      return vscode.l10n.t('This part of a time, in UTC.');
    case '$isoDayOfWeek':
    case '$isoWeek':
    case '$isoWeekYear':
      return vscode.l10n.t('This part of a time by ISO 8601, in UTC.');
    case '$toDate':
      return vscode.l10n.t('The value as a time.');
    default:
      return undefined;
  }
}
