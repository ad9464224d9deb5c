import * as vscode from 'vscode';

/** Returns the description of an operator that combines documents. */
export function describeGroupOperator(name: string): string | undefined {
  switch (name) {
    case '$sum':
      return vscode.l10n.t('The sum of numbers. With 1, the number of documents.');
    case '$avg':
      return vscode.l10n.t('The average of numbers.');
    case '$min':
      return vscode.l10n.t('The minimum value.');
    case '$max':
      return vscode.l10n.t('The maximum value.');
    case '$first':
      return vscode.l10n.t(
        'The value of the first document, or the first item of a list. Sort first.',
      );
    case '$last':
      return vscode.l10n.t(
        'The value of the last document, or the last item of a list. Sort first.',
      );
    case '$count':
      return vscode.l10n.t('The number of documents.');
    case '$push':
      return vscode.l10n.t('A list of the values of all documents.');
    case '$addToSet':
      return vscode.l10n.t('A list of the distinct values.');
    case '$stdDevPop':
    case '$stdDevSamp':
      return vscode.l10n.t('The standard deviation of numbers.');
    case '$mergeObjects':
      return vscode.l10n.t('Merges objects. Fields of later objects take precedence.');
    case '$firstN':
    case '$lastN':
    case '$maxN':
    case '$minN':
      return vscode.l10n.t('The requested number of values, as a list.');
    case '$top':
    case '$bottom':
      return vscode.l10n.t('The value of the first or last document in a given order.');
    case '$topN':
    case '$bottomN':
      return vscode.l10n.t('The values of the first or last documents in a given order.');
    case '$median':
      return vscode.l10n.t('The median of numbers.');
    case '$percentile':
      return vscode.l10n.t('The specified percentiles of numbers.');
    case '$documentNumber':
    case '$rank':
    case '$denseRank':
      return vscode.l10n.t("The document's position in the sort order.");
    case '$derivative':
      return vscode.l10n.t('The rate of change of a number over time.');
    case '$integral':
      return vscode.l10n.t('The integral of a numeric value over time.');
    case '$expMovingAvg':
      return vscode.l10n.t('A moving average that gives later values more weight.');
    case '$shift':
      return vscode.l10n.t('The value of a document at an offset before or after this one.');
    case '$covariancePop':
    case '$covarianceSamp':
      return vscode.l10n.t('The covariance of two numbers.');
    case '$linearFill':
      return vscode.l10n.t('Fills gaps by linear interpolation.');
    case '$locf':
      return vscode.l10n.t('Fills gaps with the previous value.');
    case '$minMaxScaler':
      return vscode.l10n.t('Scales numbers to the range from 0 to 1.');
    default:
      return undefined;
  }
}
