import * as vscode from 'vscode';

/** What an operator computes of lists and objects. */
export function listText(name: string): string | undefined {
  switch (name) {
    case '$arrayElemAt':
      return vscode.l10n.t('The list item at an index. The first index is 0.');
    case '$concatArrays':
      return vscode.l10n.t('Lists, one after the other.');
    case '$filter':
      return vscode.l10n.t('The items of a list that fulfil a condition.');
    case '$map':
      return vscode.l10n.t('A list with something computed of each item.');
    case '$reduce':
      return vscode.l10n.t('One value of all items of a list.');
    case '$slice':
      return vscode.l10n.t('A part of a list.');
    case '$sortArray':
      return vscode.l10n.t('A list, sorted.');
    case '$reverseArray':
      return vscode.l10n.t('A list from its end to its beginning.');
    case '$range':
      return vscode.l10n.t('A list of numbers.');
    case '$indexOfArray':
      return vscode.l10n.t('Where in a list a value is; -1 where it is not.');
    case '$isArray':
      return vscode.l10n.t('Whether it is a list.');
    case '$zip':
      return vscode.l10n.t('Lists of what stands at the same places of lists.');
    case '$objectToArray':
    case '$arrayToObject':
      return vscode.l10n.t('An object as a list of names and values, or the other way around.');
    case '$setUnion':
    case '$setIntersection':
    case '$setDifference':
    case '$setEquals':
    case '$setIsSubset':
      return vscode.l10n.t('Compares lists, or makes one of them, whatever their order.');
    case '$allElementsTrue':
    case '$anyElementTrue':
      return vscode.l10n.t('Whether all items, or any, are true.');
    case '$getField':
      return vscode.l10n.t(
        'The value of a field, including one whose name contains dots or dollar signs.',
      );
    case '$setField':
    case '$unsetField':
      return vscode.l10n.t('The object with, or without, a field.');
    default:
      return undefined;
  }
}
