import * as vscode from 'vscode';
import type { Topic } from '../../../core/query/language/languageFeatures';
import {
  describeArithmeticOperator,
  describeConditionOperator,
  describeGroupOperator,
} from './describeOperators';

/** Returns a sentence about a name in a query; undefined if the name is self-explanatory. */
export function describeTopic({ kind, name }: Topic): string | undefined {
  switch (kind) {
    case 'table':
      return name === 'readings'
        ? vscode.l10n.t('The readings of the organization, one row for each reading.')
        : undefined;
    case 'column':
      return describeColumn(name.replace(/^\$/, ''));
    case 'field':
      return name.startsWith('data.')
        ? vscode.l10n.t('A payload field. Other readings might not have it.')
        : undefined;
    case 'stage':
      return describeStage(name);
    case 'operator':
      return describeOperator(name);
    default:
      return undefined;
  }
}

function describeColumn(name: string): string | undefined {
  switch (name) {
    case 'organization_id':
      return vscode.l10n.t("The organization's ID.");
    case 'location_id':
      return vscode.l10n.t("ID of the machine's location at the time of capture.");
    case 'robot_id':
      return vscode.l10n.t('ID of the machine.');
    case 'part_id':
      return vscode.l10n.t('ID of the part of the machine that captured the reading.');
    case 'component_type':
      return vscode.l10n.t(
        'The API of the component or service, such as {0}.',
        'rdk:component:sensor',
      );
    case 'component_name':
      return vscode.l10n.t('The name of the component or service in the part config.');
    case 'method_name':
      return vscode.l10n.t('The method called on the component, such as {0}.', 'Readings');
    case 'time_requested':
      return vscode.l10n.t('The time of the request to the component, in UTC.');
    case 'time_received':
      return vscode.l10n.t("The time of the component's response, in UTC.");
    case 'tags':
      return vscode.l10n.t('Tags assigned when the reading was captured.');
    case 'additional_parameters':
      return vscode.l10n.t('The parameters of the request to the component.');
    case 'data':
      return vscode.l10n.t(
        'The response of the component. Sensor readings are in {0}.',
        'data.readings',
      );
    default:
      return undefined;
  }
}

/** Returns the description of a string operator. */
function describeTextOperator(name: string): string | undefined {
  switch (name) {
    case '$concat':
      return vscode.l10n.t('Concatenates text.');
    case '$split':
      return vscode.l10n.t('The parts of a string between separators, as a list.');
    case '$toLower':
    case '$toUpper':
      return vscode.l10n.t('Text in lowercase or uppercase.');
    case '$trim':
    case '$ltrim':
    case '$rtrim':
      return vscode.l10n.t('Text without leading and trailing spaces.');
    case '$replaceAll':
    case '$replaceOne':
      return vscode.l10n.t('Text with one part replaced by another.');
    case '$regexMatch':
      return vscode.l10n.t('True if a string matches a regular expression.');
    case '$regexFind':
    case '$regexFindAll':
      return vscode.l10n.t('The parts of a string that match a regular expression.');
    case '$substr':
    case '$substrBytes':
    case '$substrCP':
      return vscode.l10n.t('A substring, given its start position and length.');
    case '$strLenBytes':
    case '$strLenCP':
      return vscode.l10n.t('The length of a string.');
    case '$indexOfBytes':
      return vscode.l10n.t(
        "The index of a substring in a string, or -1 if the string doesn't contain it.",
      );
    case '$strcasecmp':
      return vscode.l10n.t('Compares strings, ignoring case. Returns -1, 0, or 1.');
    default:
      return undefined;
  }
}

/** Returns the description of a date operator. */
function describeDateOperator(name: string): string | undefined {
  switch (name) {
    case '$dateTrunc':
      return vscode.l10n.t('The start of the hour, day, or other unit that contains a time.');
    case '$dateToString':
      return vscode.l10n.t('A time as text, in a format such as {0}.', '%Y-%m-%d');
    case '$dateFromString':
      return vscode.l10n.t('A time parsed from text.');
    case '$dateToParts':
      return vscode.l10n.t('The parts of a timestamp (year, month, day, and so on) as an object.');
    case '$dateFromParts':
      return vscode.l10n.t('A date built from its parts: year, month, day, and so on.');
    case '$dateAdd':
      return vscode.l10n.t('A time plus an amount of time.');
    case '$dateSubtract':
      return vscode.l10n.t('A time minus an amount of time.');
    case '$dateDiff':
      return vscode.l10n.t('The number of units between two times.');
    case '$year':
    case '$month':
    case '$week':
    case '$dayOfMonth':
    case '$dayOfWeek':
    case '$dayOfYear':
    case '$hour':
    case '$minute':
    case '$second':
    case '$millisecond':
      return vscode.l10n.t('A component of a timestamp, in UTC.');
    case '$isoDayOfWeek':
    case '$isoWeek':
    case '$isoWeekYear':
      return vscode.l10n.t('An ISO 8601 component of a time, in UTC.');
    case '$toDate':
      return vscode.l10n.t('Converts a value to a time.');
    default:
      return undefined;
  }
}

/** Returns the description of a list or object operator. */
function describeListOperator(name: string): string | undefined {
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

const TEXTS = [
  describeConditionOperator,
  describeGroupOperator,
  describeDateOperator,
  describeArithmeticOperator,
  describeTextOperator,
  describeListOperator,
];

/** Returns the description of an operator for conditions, groups, or expressions. */
function describeOperator(name: string): string | undefined {
  for (const text of TEXTS) {
    const found = text(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the description of a stage. */
function describeStage(name: string): string | undefined {
  switch (name) {
    case '$addFields':
    case '$set':
      return vscode.l10n.t('Adds fields computed from other fields.');
    case '$bucket':
      return vscode.l10n.t('Groups documents by ranges with the boundaries that you specify.');
    case '$bucketAuto':
      return vscode.l10n.t('Groups documents into a specified number of ranges of similar size.');
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
