import * as vscode from 'vscode';

/** Returns the description of a stage. */
export function describeStage(name: string): string | undefined {
  switch (name) {
    case '$addFields':
    case '$set':
      return vscode.l10n.t('Adds fields computed from other fields.');
    case '$bucket':
      return vscode.l10n.t('Groups documents by ranges with the boundaries that you specify.');
    case '$bucketAuto':
      return vscode.l10n.t('Groups documents into a number of ranges of similar size.');
    case '$count':
      return vscode.l10n.t(
        'Counts the documents and stores the count in the field with the given name.',
      );
    case '$densify':
      return vscode.l10n.t('Adds documents to fill gaps in times or numbers.');
    case '$facet':
      return vscode.l10n.t(
        'Runs several pipelines over the same documents and stores the results of each in its own field.',
      );
    case '$fill':
      return vscode.l10n.t('Fills in missing field values, for example with the previous value.');
    case '$geoNear':
      return vscode.l10n.t('Sorts documents by their distance from a point.');
    case '$group':
      return vscode.l10n.t(
        'Groups documents with the same {0}, with sums, averages, and so on.',
        '_id',
      );
    case '$limit':
      return vscode.l10n.t('Keeps the given number of documents from the start.');
    case '$lookup':
      return vscode.l10n.t(
        'Adds a list of the readings that belong to each document, matched by equal fields or by a pipeline.',
      );
    case '$match':
      return vscode.l10n.t('Keeps the documents that meet a condition.');
    case '$project':
      return vscode.l10n.t('Keeps some fields (1), excludes some (0), or computes new ones.');
    case '$redact':
      return vscode.l10n.t(
        'Includes or excludes documents or parts of them, based on a condition.',
      );
    case '$replaceRoot':
    case '$replaceWith':
      return vscode.l10n.t(
        'Replaces each document with a part of it, or with a computed document.',
      );
    case '$sample':
      return vscode.l10n.t('Takes a random sample of the given number of documents.');
    case '$setWindowFields':
      return vscode.l10n.t('Computes fields from neighboring documents, such as moving averages.');
    case '$skip':
      return vscode.l10n.t('Skips the given number of documents from the start.');
    case '$sort':
      return vscode.l10n.t('Sorts documents by fields, ascending (1) or descending (-1).');
    case '$sortByCount':
      return vscode.l10n.t(
        'Counts the documents for each value and lists the most frequent value first.',
      );
    case '$unionWith':
      return vscode.l10n.t('Adds the results of another pipeline over the readings.');
    case '$unset':
      return vscode.l10n.t('Excludes fields.');
    case '$unwind':
      return vscode.l10n.t('Creates one document for each item of a list.');
    default:
      return undefined;
  }
}
