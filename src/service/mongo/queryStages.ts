import { type Document, serialize } from 'bson';
import { checkCollation, checkFields, documentField, numberField } from './commandFields';
import { MongoError } from './mongoError';
import { documentBytes, firstFieldName } from './rawBson';

/**
 * Stages that must be the first stage in a pipeline and that return documents other than readings.
 */
export const STATISTICS_STAGES: readonly string[] = ['$collStats', '$indexStats'];
const WRITING_STAGES = ['$out', '$merge'];
/**
 * Stages that query the server rather than its data. Clients interpret the error as a missing
 * permission.
 */
const SERVER_STAGES = [
  ...['$planCacheStats', '$currentOp'],
  ...['$listSessions', '$listLocalSessions'],
];
const SEARCH_STAGES = ['$search', '$searchMeta', '$vectorSearch', '$listSearchIndexes'];
/** Name of the result field of `count` and `distinct`. */
export const COUNT_FIELD = 'n';
export const VALUE_FIELD = '_id';

const NOTHING = serialize({});
const HINTS = ['hint', 'allowDiskUse', 'noCursorTimeout', 'allowPartialResults'];
const UNOFFERED = ['let', 'explain'];

/** Returns the pipeline stages that are equivalent to a `find` command. */
export function findStages(fields: Document): Uint8Array[] {
  checkFields('find', fields, {
    read: [
      ...['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch'],
      'collation',
    ],
    ignored: HINTS,
    unsupported: [
      ...UNOFFERED,
      ...['min', 'max', 'returnKey', 'showRecordId', 'tailable', 'awaitData', 'oplogReplay'],
    ],
  });
  checkCollation(fields);
  return [
    matching(documentField(fields, 'filter')),
    ...createStageList('$sort', documentField(fields, 'sort')),
    ...window(numberField(fields, 'skip', 0), numberField(fields, 'limit', 0)),
    ...createStageList('$project', documentField(fields, 'projection')),
  ];
}

/** Returns the stages in an `aggregate` command unchanged. */
export function aggregateStages(fields: Document): Uint8Array[] {
  checkFields('aggregate', fields, {
    read: ['pipeline', 'cursor', 'collation', 'explain'],
    ignored: [...HINTS, 'bypassDocumentValidation', 'writeConcern'],
    unsupported: ['let'],
  });
  checkCollation(fields);
  const pipeline: unknown = fields.pipeline;
  if (!Array.isArray(pipeline) || !pipeline.every((stage) => stage instanceof Uint8Array)) {
    throw new MongoError('TypeMismatch', '"pipeline" must be an array of documents');
  }
  const names = pipeline.map((stage) => firstFieldName(stage) ?? '');
  const writing = names.find((name) => WRITING_STAGES.includes(name));
  if (writing !== undefined) {
    throw new MongoError(
      'Unauthorized',
      `not authorized to use ${writing}: data is read-only here`,
    );
  }
  const ofServer = names.find((name) => SERVER_STAGES.includes(name));
  if (ofServer !== undefined) {
    throw new MongoError('Unauthorized', `not authorized to use ${ofServer}: it is for operators`);
  }
  const late = names.slice(1).find((name) => STATISTICS_STAGES.includes(name));
  if (late !== undefined) {
    throw new MongoError('Location40602', `${late} is only valid as the first stage in a pipeline`);
  }
  if (names.some((name) => SEARCH_STAGES.includes(name))) {
    throw new MongoError('SearchNotEnabled', 'search and indexes are not supported');
  }
  return pipeline;
}

/**
 * Returns the stages that are equivalent to a `count` command. They produce at most one document.
 */
export function countStages(fields: Document): Uint8Array[] {
  checkFields('count', fields, {
    read: ['query', 'skip', 'limit', 'collation'],
    ignored: [...HINTS, 'fields'],
    unsupported: UNOFFERED,
  });
  checkCollation(fields);
  const limit: unknown = fields.limit;
  // Older shells send a negative limit to indicate that they don't need a cursor.
  const unsigned = typeof limit === 'number' ? { limit: Math.abs(limit) } : { limit };
  return [
    matching(documentField(fields, 'query')),
    ...window(numberField(fields, 'skip', 0), numberField(unsigned, 'limit', 0)),
    serialize({ $count: COUNT_FIELD }),
  ];
}

/**
 * Returns the stages that are equivalent to a `distinct` command. Each value is in a separate
 * document.
 */
export function distinctStages(fields: Document): Uint8Array[] {
  checkFields('distinct', fields, {
    read: ['key', 'query', 'collation'],
    ignored: HINTS,
    unsupported: UNOFFERED,
  });
  checkCollation(fields);
  const key: unknown = fields.key;
  if (typeof key !== 'string' || key === '' || key.startsWith('$') || key.includes('\0')) {
    throw new MongoError('TypeMismatch', '"key" must be the name of a field');
  }
  const isIndexed = key.split('.').some(isIndex);
  if (isIndexed) return indexedStages(fields, key);
  const parents = findParents(key);
  const isNested = (parent: string): Document => ({ $isArray: [`$${parent}`] });
  const hasValues = {
    $and: [
      { $ne: [`$${key}`, []] },
      // The values in arrays within arrays don't count.
      ...parents.map((parent) => ({ $not: [isNested(parent)] })),
    ],
  };
  const present = { [key]: { $exists: true } };
  return [
    matching(documentField(fields, 'query')),
    serialize({ $match: present }),
    ...parents.map((parent) => serialize({ $unwind: `$${parent}` })),
    serialize({ $match: { ...present, $expr: hasValues } }),
    // Each array element is a separate value, and null is also a value.
    serialize({ $unwind: { path: `$${key}`, preserveNullAndEmptyArrays: true } }),
    serialize({ $group: { [VALUE_FIELD]: `$${key}` } }),
  ];
}

/** Returns the paths of all documents that contain a field, which can be arrays of documents. */
function findParents(key: string): string[] {
  const names = key.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}

function isIndex(name: string): boolean {
  return /^\d+$/u.test(name);
}

/** Returns the stages for a key with an index, which the paths of expressions can't contain. */
function indexedStages(fields: Document, key: string): Uint8Array[] {
  const [first = '', ...names] = key.split('.');
  const value = readIndexed(`$${first}`, names);
  const hasValue = { value: { $exists: true }, $expr: { $ne: ['$value', []] } };
  const parts = [first, ...names];
  const list = parts.slice(0, parts.findIndex(isIndex)).join('.');
  return [
    matching(documentField(fields, 'query')),
    serialize({ $match: { [key]: { $exists: true } } }),
    // The index applies to the list in each document of an array.
    ...findParents(list).map((parent) =>
      serialize({ $unwind: { path: `$${parent}`, preserveNullAndEmptyArrays: true } }),
    ),
    serialize({ $project: { value } }),
    serialize({ $match: hasValue }),
    serialize({ $unwind: { path: '$value', preserveNullAndEmptyArrays: true } }),
    serialize({ $group: { [VALUE_FIELD]: '$value' } }),
  ];
}

/** Returns the expression for a path below a field or variable. */
function readIndexed(reference: string, names: readonly string[]): unknown {
  const at = names.findIndex(isIndex);
  if (at === -1) return [reference, ...names].join('.');
  const list = [reference, ...names.slice(0, at)].join('.');
  const byIndex = { $arrayElemAt: [list, Number(names[at])] };
  const byName = `${list}.${names[at] ?? ''}`;
  const element = { $cond: [{ $isArray: [list] }, byIndex, byName] };
  return { $let: { vars: { element }, in: readIndexed('$$element', names.slice(at + 1)) } };
}

function matching(filter: Uint8Array | undefined): Uint8Array {
  return documentBytes({ $match: filter ?? NOTHING });
}

function createStageList(stage: string, value: Uint8Array | undefined): Uint8Array[] {
  return value === undefined ? [] : [documentBytes({ [stage]: value })];
}

function window(skip: number, limit: number): Uint8Array[] {
  return [
    ...(skip === 0 ? [] : [serialize({ $skip: skip })]),
    ...(limit === 0 ? [] : [serialize({ $limit: limit })]),
  ];
}
