import * as vscode from 'vscode';

/** What a stage does to the documents that come to it. */
export function stageText(name: string): string | undefined {
  switch (name) {
    case '$addFields':
    case '$set':
      return vscode.l10n.t('Adds fields that are computed from others.');
    case '$bucket':
      return vscode.l10n.t('Groups documents by ranges whose boundaries you give.');
    case '$bucketAuto':
      return vscode.l10n.t('Groups documents into a number of ranges of about the same size.');
    case '$count':
      return vscode.l10n.t(
        'Counts the documents. The text is the name of the field with the number.',
      );
    case '$densify':
      return vscode.l10n.t('Adds documents where times or numbers leave gaps.');
    case '$facet':
      return vscode.l10n.t(
        'Runs several pipelines over the same documents. Each has a field with its results.',
      );
    case '$fill':
      return vscode.l10n.t('Gives values to fields that have none, such as the last one before.');
    case '$geoNear':
      return vscode.l10n.t('Sorts documents by their distance from a point.');
    case '$group':
      return vscode.l10n.t(
        'Makes one document of all with the same {0}, with sums, averages and the like.',
        '_id',
      );
    case '$limit':
      return vscode.l10n.t('Keeps the first documents, as many as the number says.');
    case '$lookup':
      return vscode.l10n.t(
        'Adds a list with the readings that belong to each document, by equal fields or by a pipeline.',
      );
    case '$match':
      return vscode.l10n.t('Keeps the documents that fulfil a condition.');
    case '$project':
      return vscode.l10n.t('Keeps some fields (1), leaves some out (0), or computes new ones.');
    case '$redact':
      return vscode.l10n.t(
        'Includes or excludes documents or parts of them, based on a condition.',
      );
    case '$replaceRoot':
    case '$replaceWith':
      return vscode.l10n.t(
        'Puts a part of each document, or what is computed of it, in its place.',
      );
    case '$sample':
      return vscode.l10n.t('Takes as many documents as the number says, at random.');
    case '$setWindowFields':
      return vscode.l10n.t(
        'Computes fields from the documents before and after, such as moving averages.',
      );
    case '$skip':
      return vscode.l10n.t('Leaves out the first documents, as many as the number says.');
    case '$sort':
      return vscode.l10n.t('Sorts documents by fields, rising (1) or falling (-1).');
    case '$sortByCount':
      return vscode.l10n.t('Counts documents with the same value, the most frequent value first.');
    case '$unionWith':
      return vscode.l10n.t('Adds the results of another pipeline over the readings.');
    case '$unset':
      return vscode.l10n.t('Leaves out fields.');
    case '$unwind':
      return vscode.l10n.t('Makes one document for each item of a list.');
    default:
      return undefined;
  }
}
