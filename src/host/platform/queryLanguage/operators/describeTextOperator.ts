import * as vscode from 'vscode';

/** Returns the description of a string operator. */
export function describeTextOperator(name: string): string | undefined {
  switch (name) {
    case '$concat':
      return vscode.l10n.t('Concatenates text.');
    case '$split':
      return vscode.l10n.t('The parts of a string between separators, as a list.');
    case '$toLower':
    case '$toUpper':
      return vscode.l10n.t('Text in lowercase or uppercase.');
    case '$trim':
    case '$ltrim':
    case '$rtrim':
      return vscode.l10n.t('Text without leading and trailing spaces.');
    case '$replaceAll':
    case '$replaceOne':
      return vscode.l10n.t('Text with one part replaced by another.');
    case '$regexMatch':
      return vscode.l10n.t('True if a string matches a regular expression.');
    case '$regexFind':
    case '$regexFindAll':
      return vscode.l10n.t('The parts of a string that match a regular expression.');
    case '$substr':
    case '$substrBytes':
    case '$substrCP':
      return vscode.l10n.t('A substring, given its start position and length.');
    case '$strLenBytes':
    case '$strLenCP':
      return vscode.l10n.t('The length of a string.');
    case '$indexOfBytes':
      return vscode.l10n.t(
        "The index of a substring in a string, or -1 if the string doesn't contain it.",
      );
    case '$strcasecmp':
      return vscode.l10n.t('Compares strings, ignoring case. Returns -1, 0, or 1.');
    default:
      return undefined;
  }
}
