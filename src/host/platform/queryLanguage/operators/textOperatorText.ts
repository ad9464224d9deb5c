import * as vscode from 'vscode';

/** What an operator computes of texts. */
export function textOperatorText(name: string): string | undefined {
  switch (name) {
    case '$concat':
      return vscode.l10n.t('Texts, one after the other.');
    case '$split':
      return vscode.l10n.t('The parts of a text between separators, as a list.');
    case '$toLower':
    case '$toUpper':
      return vscode.l10n.t('The text in small or in capital letters.');
    case '$trim':
    case '$ltrim':
    case '$rtrim':
      return vscode.l10n.t('The text without spaces around it.');
    case '$replaceAll':
    case '$replaceOne':
      return vscode.l10n.t('The text with another in the place of a part of it.');
    case '$regexMatch':
      return vscode.l10n.t('Whether a text matches a regular expression.');
    case '$regexFind':
    case '$regexFindAll':
      return vscode.l10n.t('What of a text matches a regular expression.');
    case '$substr':
    case '$substrBytes':
    case '$substrCP':
      return vscode.l10n.t('A substring, given its start position and length.');
    case '$strLenBytes':
    case '$strLenCP':
      return vscode.l10n.t('The length of a text.');
    case '$indexOfBytes':
      return vscode.l10n.t('Where in a text another one is; -1 where it is not.');
    case '$strcasecmp':
      return vscode.l10n.t('Compares strings, ignoring case. Returns -1, 0, or 1.');
    default:
      return undefined;
  }
}
