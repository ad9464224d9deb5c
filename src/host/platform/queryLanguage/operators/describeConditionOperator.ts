import * as vscode from 'vscode';

/** Returns the description of a condition or comparison operator. */
export function describeConditionOperator(name: string): string | undefined {
  switch (name) {
    case '$eq':
      return vscode.l10n.t('True if both values are equal.');
    case '$ne':
      return vscode.l10n.t('True if the values are different.');
    case '$gt':
      return vscode.l10n.t('True if the value is greater than the specified value.');
    case '$gte':
      return vscode.l10n.t('True if the value is greater than or equal to the specified value.');
    case '$lt':
      return vscode.l10n.t('True if the value is less than the specified value.');
    case '$lte':
      return vscode.l10n.t('True if the value is less than or equal to the specified value.');
    case '$cmp':
      return vscode.l10n.t('Compares two values. Returns -1 (less), 0 (equal), or 1 (greater).');
    case '$in':
      return vscode.l10n.t('True if the value is in a list.');
    case '$nin':
      return vscode.l10n.t('True if the value is not in a list.');
    case '$all':
      return vscode.l10n.t('True if a list has all of these values.');
    case '$exists':
      return vscode.l10n.t('True if the document has the field.');
    case '$type':
      return vscode.l10n.t(
        'The type of a value. In a condition, tests whether it is of this type.',
      );
    case '$regex':
      return vscode.l10n.t('True if a string matches a regular expression.');
    case '$options':
      return vscode.l10n.t('Options for {0}, such as i to ignore case.', '$regex');
    case '$size':
      return vscode.l10n.t(
        'The number of items in a list. In a condition, tests whether the list has this many items.',
      );
    case '$elemMatch':
      return vscode.l10n.t('True if any list item meets the condition.');
    case '$mod':
      return vscode.l10n.t(
        'The remainder of a division. In a condition, tests whether the remainder equals the second number.',
      );
    case '$not':
      return vscode.l10n.t('True if the condition is not met.');
    case '$and':
      return vscode.l10n.t('True if all conditions are true.');
    case '$or':
      return vscode.l10n.t('True if any condition is true.');
    case '$nor':
      return vscode.l10n.t('True if none of the conditions is true.');
    case '$expr':
      return vscode.l10n.t('A computed condition that can compare fields with each other.');
    case '$bitsAllClear':
    case '$bitsAllSet':
    case '$bitsAnyClear':
    case '$bitsAnySet':
      return vscode.l10n.t('True if the given bits of a number are set or not set.');
    case '$cond':
      return vscode.l10n.t('One of two values, depending on a condition.');
    case '$switch':
      return vscode.l10n.t('The value of the first case whose condition is true.');
    case '$ifNull':
      return vscode.l10n.t('The first value that is not null or missing.');
    case '$literal':
      return vscode.l10n.t('The literal value, without evaluating it.');
    case '$let':
      return vscode.l10n.t('Defines variables for one expression.');
    case '$date':
      return vscode.l10n.t('A timestamp, such as {0}.', '2026-01-01T00:00:00Z');
    case '$oid':
    case '$numberLong':
    case '$numberDecimal':
    case '$numberInt':
    case '$numberDouble':
    case '$uuid':
      return vscode.l10n.t('A value of this type as text.');
    default:
      return undefined;
  }
}
