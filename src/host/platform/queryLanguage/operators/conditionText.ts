import * as vscode from 'vscode';

/** What an operator does that conditions and comparisons have. */
export function conditionText(name: string): string | undefined {
  switch (name) {
    case '$eq':
      return vscode.l10n.t('Whether both are the same.');
    case '$ne':
      return vscode.l10n.t('Whether they differ.');
    case '$gt':
      return vscode.l10n.t('Whether it is greater.');
    case '$gte':
      return vscode.l10n.t('Whether it is greater or the same.');
    case '$lt':
      return vscode.l10n.t('Whether it is less.');
    case '$lte':
      return vscode.l10n.t('Whether it is less or the same.');
    case '$cmp':
      return vscode.l10n.t('-1, 0 or 1: less, the same or greater.');
    case '$in':
      return vscode.l10n.t('Whether it is among the values of a list.');
    case '$nin':
      return vscode.l10n.t('Whether it is none of the values of a list.');
    case '$all':
      return vscode.l10n.t('Whether a list has all of these values.');
    case '$exists':
      return vscode.l10n.t('Whether documents have the field at all.');
    case '$type':
      return vscode.l10n.t('The type of a value; in a condition, whether it is of this type.');
    case '$regex':
      return vscode.l10n.t('Whether a text matches a regular expression.');
    case '$options':
      return vscode.l10n.t('How {0} matches, such as i for any case of letters.', '$regex');
    case '$size':
      return vscode.l10n.t('How many items a list has; in a condition, whether it has this many.');
    case '$elemMatch':
      return vscode.l10n.t('True if any list item meets the condition.');
    case '$mod':
      return vscode.l10n.t(
        'What is left of a division; in a condition, whether that is the second number.',
      );
    case '$not':
      return vscode.l10n.t('True if the condition is not met.');
    case '$and':
      return vscode.l10n.t('True if all conditions are true.');
    case '$or':
      return vscode.l10n.t('Whether any of them is true.');
    case '$nor':
      return vscode.l10n.t('Whether none of them is true.');
    case '$expr':
      return vscode.l10n.t(
        'A condition that is computed, so that fields can be compared with one another.',
      );
    case '$bitsAllClear':
    case '$bitsAllSet':
    case '$bitsAnyClear':
    case '$bitsAnySet':
      return vscode.l10n.t('Whether bits of a number are set or not.');
    case '$cond':
      return vscode.l10n.t('One of two values, by a condition.');
    case '$switch':
      return vscode.l10n.t('The value of the first case whose condition is true.');
    case '$ifNull':
      return vscode.l10n.t('The first value that is not null or missing.');
    case '$literal':
      return vscode.l10n.t('The value as it is: nothing in it is computed.');
    case '$let':
      return vscode.l10n.t('Gives names to values for one expression.');
    case '$date':
      return vscode.l10n.t('A moment, such as {0}.', '2026-01-01T00:00:00Z');
    case '$oid':
    case '$numberLong':
    case '$numberDecimal':
    case '$numberInt':
    case '$numberDouble':
    case '$uuid':
      return vscode.l10n.t('A value of this type, written as a text.');
    default:
      return undefined;
  }
}
