import * as vscode from 'vscode';

/** Returns the description of a list or object operator. */
export function describeListOperator(name: string): string | undefined {
  switch (name) {
    case '$arrayElemAt':
      return vscode.l10n.t('The list item at an index. The first index is 0.');
    case '$concatArrays':
      return vscode.l10n.t('Concatenates lists.');
    case '$filter':
      return vscode.l10n.t('The list items that meet a condition.');
    case '$map':
      return vscode.l10n.t('A list with a value computed from each item.');
    case '$reduce':
      return vscode.l10n.t('Combines all items of a list into one value.');
    case '$slice':
      return vscode.l10n.t('A part of a list.');
    case '$sortArray':
      return vscode.l10n.t('A sorted list.');
    case '$reverseArray':
      return vscode.l10n.t('A list in reverse order.');
    case '$range':
      return vscode.l10n.t('A list of numbers.');
    case '$indexOfArray':
      return vscode.l10n.t("The index of a value in a list, or -1 if the list doesn't contain it.");
    case '$isArray':
      return vscode.l10n.t('True if the value is a list.');
    case '$zip':
      return vscode.l10n.t('Combines the items at the same index of several lists.');
    case '$objectToArray':
    case '$arrayToObject':
      return vscode.l10n.t('Converts an object to a list of names and values, or back.');
    case '$setUnion':
    case '$setIntersection':
    case '$setDifference':
    case '$setEquals':
    case '$setIsSubset':
      return vscode.l10n.t('Compares or combines lists as sets, ignoring order.');
    case '$allElementsTrue':
    case '$anyElementTrue':
      return vscode.l10n.t('True if all items are true, or if any item is true.');
    case '$getField':
      return vscode.l10n.t(
        'The value of a field, including one whose name contains dots or dollar signs.',
      );
    case '$setField':
    case '$unsetField':
      return vscode.l10n.t('An object with a field added or removed.');
    default:
      return undefined;
  }
}
