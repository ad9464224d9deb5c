import * as vscode from 'vscode';

/** Returns the description of an arithmetic or conversion operator. */
export function describeArithmeticOperator(name: string): string | undefined {
  switch (name) {
    case '$add':
      return vscode.l10n.t('The sum of numbers, or a time plus a number of milliseconds.');
    case '$subtract':
      return vscode.l10n.t('The difference of two numbers, or of two times in milliseconds.');
    case '$multiply':
      return vscode.l10n.t('The product of numbers.');
    case '$divide':
      return vscode.l10n.t('The first number divided by the second.');
    case '$pow':
      return vscode.l10n.t('A number raised to a power.');
    case '$abs':
      return vscode.l10n.t('The absolute value of a number.');
    case '$ceil':
    case '$floor':
    case '$round':
    case '$trunc':
      return vscode.l10n.t('A number rounded to a whole number or to fewer digits.');
    case '$sqrt':
      return vscode.l10n.t('The square root.');
    case '$exp':
      return vscode.l10n.t('The number e raised to a power.');
    case '$ln':
    case '$log':
    case '$log10':
      return vscode.l10n.t('A logarithm.');
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
      return vscode.l10n.t('A trigonometric function of an angle in radians.');
    case '$degreesToRadians':
    case '$radiansToDegrees':
      return vscode.l10n.t('Converts an angle between degrees and radians.');
    case '$sigmoid':
      return vscode.l10n.t(
        'The sigmoid of a number: a value between 0 and 1 on an S-shaped curve.',
      );
    case '$bitAnd':
    case '$bitNot':
    case '$bitOr':
    case '$bitXor':
      return vscode.l10n.t('The result of a bitwise operation.');
    case '$rand':
      return vscode.l10n.t('A random number between 0 and 1.');
    case '$sampleRate':
      return vscode.l10n.t('True for a random sample of the documents.');
    case '$convert':
      return vscode.l10n.t('Converts a value to another type.');
    case '$toBool':
    case '$toDecimal':
    case '$toDouble':
    case '$toInt':
    case '$toLong':
    case '$toString':
      return vscode.l10n.t('Converts a value to this type.');
    case '$toHashedIndexKey':
      return vscode.l10n.t('A hash of the value, as a number.');
    case '$isNumber':
      return vscode.l10n.t('True if the value is a number.');
    default:
      return undefined;
  }
}
