import * as vscode from 'vscode';

/** Returns the description of a date operator. */
export function describeDateOperator(name: string): string | undefined {
  switch (name) {
    case '$dateTrunc':
      return vscode.l10n.t('The start of the hour, day, or other unit that contains a time.');
    case '$dateToString':
      return vscode.l10n.t('A time as text, in a format such as {0}.', '%Y-%m-%d');
    case '$dateFromString':
      return vscode.l10n.t('A time parsed from text.');
    case '$dateToParts':
      return vscode.l10n.t('The parts of a timestamp (year, month, day, and so on) as an object.');
    case '$dateFromParts':
      return vscode.l10n.t('A time composed of year, month, day, and so on.');
    case '$dateAdd':
      return vscode.l10n.t('A time plus an amount of time.');
    case '$dateSubtract':
      return vscode.l10n.t('A time minus an amount of time.');
    case '$dateDiff':
      return vscode.l10n.t('The number of units between two times.');
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
      return vscode.l10n.t('A component of a time, in UTC.');
    case '$isoDayOfWeek':
    case '$isoWeek':
    case '$isoWeekYear':
      return vscode.l10n.t('An ISO 8601 component of a time, in UTC.');
    case '$toDate':
      return vscode.l10n.t('Converts a value to a time.');
    default:
      return undefined;
  }
}
