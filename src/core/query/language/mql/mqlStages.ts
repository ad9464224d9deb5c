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

/** Stages whose output documents are still readings with all of their columns. */
export const KEEPS_READINGS: ReadonlySet<string> = new Set([
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
