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
      return vscode.l10n.t('The covariance of two numeric expressions.');
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
      return vscode.l10n.t('A number rounded to a whole number or to a specified decimal place.');
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
    case '$isNumber':
      return vscode.l10n.t('True if the value is a number.');
    default:
      return undefined;
  }
}

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
