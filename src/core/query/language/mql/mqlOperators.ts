/** Operator, with the text after its name as a snippet. */
export interface MqlOperator {
  readonly name: string;
  readonly snippet: string;
}

function operators(snippet: string, names: string): readonly MqlOperator[] {
  return names.split(' ').map((name) => ({ name: `$${name}`, snippet }));
}

const FIELD = '"\\$$0"';
const TWO = '["\\$${1}", ${2}]';
const LIST = '[$0]';

/** Operators that apply to a field in `$match`. */
export const CONDITION_OPERATORS: readonly MqlOperator[] = [
  ...operators('${1}', 'eq ne gt gte lt lte'),
  ...operators(LIST, 'in nin all mod bitsAllClear bitsAllSet bitsAnyClear bitsAnySet'),
  ...operators('${1:true}', 'exists'),
  ...operators('"${1:^a}"', 'regex'),
  ...operators('"${1:i}"', 'options'),
  ...operators('"${1:string}"', 'type'),
  ...operators('${1:1}', 'size'),
  ...operators('{ $0 }', 'elemMatch not'),
];

/** Operators that are on the same level as the fields of `$match`. */
export const CONDITION_JOINS: readonly MqlOperator[] = [
  ...operators('[{ $0 }]', 'and or nor'),
  ...operators('{ $0 }', 'expr'),
];

/** Operators that aggregate the documents in a group. */
export const ACCUMULATORS: readonly MqlOperator[] = [
  ...operators(FIELD, 'sum avg min max first last push addToSet stdDevPop stdDevSamp mergeObjects'),
  ...operators('{}', 'count'),
  ...operators('{ "input": "\\$${1}", "n": ${2:3} }', 'firstN lastN maxN minN'),
  ...operators('{ "input": "\\$${1}", "method": "approximate" }', 'median'),
  ...operators('{ "input": "\\$${1}", "p": [${2:0.95}], "method": "approximate" }', 'percentile'),
  ...operators(
    '{ "sortBy": { "${1:time_received}": -1 }, "output": "\\$${2:data}" }',
    'top bottom',
  ),
  ...operators(
    '{ "sortBy": { "${1:time_received}": -1 }, "output": "\\$${2:data}", "n": ${3:3} }',
    'topN bottomN',
  ),
];

/** Operators that aggregate neighboring documents in `$setWindowFields`. */
export const WINDOW_OPERATORS: readonly MqlOperator[] = [
  ...operators('{}', 'documentNumber rank denseRank'),
  ...operators('{ "input": "\\$${1}", "unit": "${2:second}" }', 'derivative integral'),
  ...operators('{ "input": "\\$${1}", "N": ${2:10} }', 'expMovingAvg'),
  ...operators('{ "output": "\\$${1}", "by": ${2:-1} }', 'shift'),
  ...operators('[${1}]', 'covariancePop covarianceSamp'),
  ...operators(FIELD, 'linearFill locf'),
  ...operators('{ "input": "\\$${1}" }', 'minMaxScaler'),
];

const DATE_PART = '{ "date": "\\$${1:time_received}", "unit": "${2:hour}" }';
const DATE_AND_AMOUNT = '{ "startDate": "${1:\\$\\$NOW}", "unit": "${2:day}", "amount": ${3:1} }';
const OVER_LIST = '{ "input": "\\$${1}", "as": "${2:item}", ';
const IN_TEXT = '{ "input": "\\$${1}", "regex": "${2}" }';
const IN_FIELD = '{ "field": "${1}", "input": "\\$\\$ROOT"';

/** Operators that compute a value from one document. */
export const EXPRESSIONS: readonly MqlOperator[] = [
  ...operators(TWO, 'eq ne gt gte lt lte cmp subtract divide mod pow log atan2 strcasecmp'),
  ...operators(TWO, 'arrayElemAt split in setDifference setIsSubset round trunc'),
  ...operators(LIST, 'add multiply and or concat concatArrays ifNull mergeObjects setEquals'),
  ...operators(LIST, 'setIntersection setUnion bitAnd bitOr bitXor range slice indexOfArray'),
  ...operators(LIST, 'indexOfBytes substr substrBytes substrCP'),
  ...operators(FIELD, 'abs ceil floor sqrt exp ln log10 sin cos tan asin acos atan sinh cosh tanh'),
  ...operators(FIELD, 'asinh acosh atanh degreesToRadians radiansToDegrees sigmoid bitNot not'),
  ...operators(
    FIELD,
    'toBool toDate toDecimal toDouble toInt toLong toString toLower toUpper type',
  ),
  ...operators(FIELD, 'isArray isNumber size strLenBytes strLenCP reverseArray'),
  ...operators(FIELD, 'objectToArray arrayToObject allElementsTrue anyElementTrue literal'),
  ...operators(FIELD, 'year month week dayOfMonth dayOfWeek dayOfYear hour minute second'),
  ...operators(FIELD, 'millisecond isoDayOfWeek isoWeek isoWeekYear'),
  ...operators(FIELD, 'sum avg min max first last stdDevPop stdDevSamp'),
  ...operators('{}', 'rand'),
  ...operators('${1:0.1}', 'sampleRate'),
  ...operators('{ "if": $1, "then": $2, "else": $3 }', 'cond'),
  ...operators('{ "branches": [{ "case": $1, "then": $2 }], "default": $3 }', 'switch'),
  ...operators('{ "vars": { "${1:name}": $2 }, "in": $3 }', 'let'),
  ...operators(DATE_PART, 'dateTrunc'),
  ...operators('{ "date": "\\$${1:time_received}", "format": "${2:%Y-%m-%d}" }', 'dateToString'),
  ...operators('{ "dateString": "\\$${1}" }', 'dateFromString'),
  ...operators('{ "date": "\\$${1:time_received}" }', 'dateToParts'),
  ...operators('{ "year": ${1:2026}, "month": ${2:1}, "day": ${3:1} }', 'dateFromParts'),
  ...operators(DATE_AND_AMOUNT, 'dateAdd dateSubtract'),
  ...operators(
    '{ "startDate": "\\$${1}", "endDate": "\\$${2}", "unit": "${3:second}" }',
    'dateDiff',
  ),
  ...operators(`${OVER_LIST}"in": 3 }`, 'map'),
  ...operators(`${OVER_LIST}"cond": 3 }`, 'filter'),
  ...operators('{ "input": "\\$${1}", "initialValue": ${2:0}, "in": ${3} }', 'reduce'),
  ...operators('{ "input": "\\$${1}", "sortBy": ${2:1} }', 'sortArray'),
  ...operators('{ "inputs": [$0] }', 'zip'),
  ...operators('{ "input": "\\$${1}", "n": ${2:3} }', 'firstN lastN maxN minN'),
  ...operators('{ "input": "\\$${1}", "method": "approximate" }', 'median'),
  ...operators('{ "input": "\\$${1}", "p": [${2:0.95}], "method": "approximate" }', 'percentile'),
  ...operators('{ "input": "\\$${1}" }', 'trim ltrim rtrim'),
  ...operators(
    '{ "input": "\\$${1}", "find": "${2}", "replacement": "${3}" }',
    'replaceAll replaceOne',
  ),
  ...operators(IN_TEXT, 'regexMatch regexFind regexFindAll'),
  ...operators('{ "input": "\\$${1}", "to": "${2:double}" }', 'convert'),
  ...operators(`${IN_FIELD} }`, 'getField unsetField'),
  ...operators(`${IN_FIELD}, "value": $2 }`, 'setField'),
];

/** Notation in Extended JSON for BSON values that JSON can't express. */
export const EXTENDED_JSON: readonly MqlOperator[] = [
  ...operators('"${1:2026-01-01T00:00:00Z}"', 'date'),
  ...operators('"${1}"', 'oid numberLong numberDecimal numberInt numberDouble uuid'),
];

/** Variables that expressions can use. */
export const VARIABLES = ['$$NOW', '$$ROOT', '$$CURRENT', '$$REMOVE'] as const;

/** Stage, with the usual text after its name as a snippet. */
export interface MqlStage {
  readonly name: string;
  readonly snippet: string;
}

function stage(name: string, snippet: string): MqlStage {
  return { name, snippet };
}

/** Stages that pipelines for readings can use, most used first. */
export const MQL_STAGES: readonly MqlStage[] = [
  stage('$match', '{ $0 }'),
  stage('$group', '{ "_id": "\\$${1:part_id}", "${2:count}": { "\\$sum": ${3:1} } }'),
  stage('$sort', '{ "${1:time_received}": ${2:-1} }'),
  stage('$limit', '${1:1000}'),
  stage('$project', '{ "${1:data}": ${2:1} }'),
  stage('$addFields', '{ "${1:name}": "\\$${2:data.readings}" }'),
  stage('$set', '{ "${1:name}": "\\$${2:data.readings}" }'),
  stage('$unset', '"${1:additional_parameters}"'),
  stage('$count', '"${1:count}"'),
  stage('$sortByCount', '"\\$${1:component_name}"'),
  stage('$unwind', '"\\$${1:tags}"'),
  stage('$skip', '${1:100}'),
  stage('$sample', '{ "size": ${1:100} }'),
  stage(
    '$bucket',
    '{ "groupBy": "\\$${1:data.readings}", "boundaries": [${2:0, 10, 20}], "default": "${3:other}" }',
  ),
  stage('$bucketAuto', '{ "groupBy": "\\$${1:data.readings}", "buckets": ${2:10} }'),
  stage('$replaceRoot', '{ "newRoot": "\\$${1:data.readings}" }'),
  stage('$replaceWith', '"\\$${1:data.readings}"'),
  stage(
    '$setWindowFields',
    '{ "partitionBy": "\\$${1:part_id}", "sortBy": { "${2:time_received}": 1 }, "output": { "${3:average}": { "\\$avg": "\\$${4:data.readings}", "window": { "documents": [-10, 0] } } } }',
  ),
  stage(
    '$densify',
    '{ "field": "${1:time_received}", "range": { "step": ${2:1}, "unit": "${3:minute}", "bounds": "${4:full}" } }',
  ),
  stage(
    '$fill',
    '{ "sortBy": { "${1:time_received}": 1 }, "output": { "${2:data}": { "method": "${3:locf}" } } }',
  ),
  stage(
    '$lookup',
    '{ "from": "readings", "let": { "part": "\\$${1:part_id}" }, "pipeline": [{ "\\$match": { "\\$expr": { "\\$eq": ["\\$part_id", "\\$\\$part"] } } }, { "\\$limit": ${2:1} }], "as": "${3:found}" }',
  ),
  stage('$unionWith', '{ "coll": "readings", "pipeline": [{ "\\$match": { $0 } }] }'),
  stage(
    '$facet',
    '{ "${1:total}": [{ "\\$count": "n" }], "${2:parts}": [{ "\\$sortByCount": "\\$${3:part_id}" }] }',
  ),
  stage('$redact', '"\\$\\$${1:KEEP}"'),
  stage(
    '$geoNear',
    '{ "near": { "type": "Point", "coordinates": [${1:0}, ${2:0}] }, "distanceField": "${3:distance}" }',
  ),
];

/** Stages whose output documents are still readings with all their columns. */
export const PRESERVES_READINGS: ReadonlySet<string> = new Set([
  ...['$match', '$sort', '$limit', '$skip', '$sample'],
]);

/** Stages that output only a few documents, regardless of the number of input documents. */
export const NARROWS: ReadonlySet<string> = new Set([
  ...['$limit', '$group', '$count', '$sortByCount', '$sample', '$bucket', '$bucketAuto'],
  '$facet',
]);

/**
 * Returns true if a path in a stage contains a pipeline, such as the `pipeline` of a $lookup.
 * @param path path relative to the stage's specification
 */
export function isSubpipeline(stage: string, path: readonly unknown[]): boolean {
  if (path.length !== 1) return false;
  return stage === '$facet' || (READS_AGAIN.has(stage) && path[0] === 'pipeline');
}

/** Stages whose pipelines start with all readings, or with their own documents. */
export const READS_AGAIN: ReadonlySet<string> = new Set(['$lookup', '$unionWith']);
/** Stage that starts a pipeline with its own documents. */
export const DOCUMENTS = '$documents';
