import * as vscode from 'vscode';

/** What an operator makes of several documents. */
export function groupText(name: string): string | undefined {
  switch (name) {
    case '$sum':
      return vscode.l10n.t('The sum of numbers; with 1, how many documents there are.');
    case '$avg':
      return vscode.l10n.t('The average of numbers.');
    case '$min':
      return vscode.l10n.t('The least value.');
    case '$max':
      return vscode.l10n.t('The greatest value.');
    case '$first':
      return vscode.l10n.t(
        'The value of the first document, or the first item of a list. Sort before.',
      );
    case '$last':
      return vscode.l10n.t(
        'The value of the last document, or the last item of a list. Sort before.',
      );
    case '$count':
      return vscode.l10n.t('How many documents there are.');
    case '$push':
      return vscode.l10n.t('A list of the values of all documents.');
    case '$addToSet':
      return vscode.l10n.t('A list of the different values.');
    case '$stdDevPop':
    case '$stdDevSamp':
      return vscode.l10n.t('The standard deviation of numbers.');
    case '$mergeObjects':
      return vscode.l10n.t('One object of several; the fields of later ones win.');
    case '$firstN':
    case '$lastN':
    case '$maxN':
    case '$minN':
      return vscode.l10n.t('As many values as asked for, as a list.');
    case '$top':
    case '$bottom':
      return vscode.l10n.t('The value of the first or last document in an order of its own.');
    case '$topN':
    case '$bottomN':
      return vscode.l10n.t('The values of the first or last documents in an order of their own.');
    case '$median':
      return vscode.l10n.t('The number in the middle.');
    case '$percentile':
      return vscode.l10n.t('The numbers below which given shares of all numbers are.');
    case '$documentNumber':
    case '$rank':
    case '$denseRank':
      return vscode.l10n.t('The place of the document in the order.');
    case '$derivative':
      return vscode.l10n.t('How fast a number changes over time.');
    case '$integral':
      return vscode.l10n.t('The integral of a numeric value over time.');
    case '$expMovingAvg':
      return vscode.l10n.t('A moving average in which later values weigh more.');
    case '$shift':
      return vscode.l10n.t('The value of a document so many places before or after.');
    case '$covariancePop':
    case '$covarianceSamp':
      return vscode.l10n.t('How two numbers vary together.');
    case '$linearFill':
      return vscode.l10n.t('Fills gaps along a straight line.');
    case '$locf':
      return vscode.l10n.t('Fills gaps with the last value before.');
    case '$minMaxScaler':
      return vscode.l10n.t('Scales numbers to between 0 and 1.');
    default:
      return undefined;
  }
}
