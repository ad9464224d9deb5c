import * as vscode from 'vscode';

/** What an operator computes of numbers, or makes of values of other types. */
export function arithmeticText(name: string): string | undefined {
  switch (name) {
    case '$add':
      return vscode.l10n.t('The sum of numbers, or a time so many milliseconds later.');
    case '$subtract':
      return vscode.l10n.t('The difference of two numbers, or of two times in milliseconds.');
    case '$multiply':
      return vscode.l10n.t('The product of numbers.');
    case '$divide':
      return vscode.l10n.t('The first number divided by the second.');
    case '$pow':
      return vscode.l10n.t('A number to a power.');
    case '$abs':
      return vscode.l10n.t('A number without its sign.');
    case '$ceil':
    case '$floor':
    case '$round':
    case '$trunc':
      return vscode.l10n.t('A whole number near a number, or one with fewer digits.');
    case '$sqrt':
      return vscode.l10n.t('The square root.');
    case '$exp':
      return vscode.l10n.t('e to a power.');
    case '$ln':
    case '$log':
    case '$log10':
      return vscode.l10n.t('The logarithm.');
    case '$sin':
    case '$cos':
    case '$tan':
    case '$asin':
    case '$acos':
    case '$atan':
    case '$atan2':
    case '$sinh':
    case '$cosh':
    case '$tanh':
    case '$asinh':
    case '$acosh':
    case '$atanh':
      return vscode.l10n.t('A function of an angle in radians.');
    case '$degreesToRadians':
    case '$radiansToDegrees':
      return vscode.l10n.t('An angle in the other unit.');
    case '$sigmoid':
      return vscode.l10n.t('A number between 0 and 1, along an S-shaped curve.');
    case '$bitAnd':
    case '$bitNot':
    case '$bitOr':
    case '$bitXor':
      return vscode.l10n.t('The result of a bitwise operation.');
    case '$rand':
      return vscode.l10n.t('A random number between 0 and 1.');
    case '$sampleRate':
      return vscode.l10n.t('True for a share of the documents, at random.');
    case '$convert':
      return vscode.l10n.t('The value as another type.');
    case '$toBool':
    case '$toDecimal':
    case '$toDouble':
    case '$toInt':
    case '$toLong':
    case '$toString':
      return vscode.l10n.t('The value as this type.');
    case '$toHashedIndexKey':
      return vscode.l10n.t('A number that stands for the value.');
    case '$isNumber':
      return vscode.l10n.t('Whether it is a number.');
    default:
      return undefined;
  }
}
