import type { DataShape } from '../../../queryJob';
import type { Expressions } from '../expressions';
import { groupFields } from '../stages/groupStage';
import { stageSortKeys } from '../stages/sortStage';
import { countField, sampleSize } from '../stages/streamStages';
import type { Stage } from '../stage';
import { type Document, isDocument } from '../document';
import { computedSql } from './computedSql';
import { constants, type GetConstant, splitCondition } from './matchSql';
import { grouped } from './groupSql';
import { allReadings, isCut, keySql, nested, type OrderKey, type Selection } from './selection';
import { fieldAt, type SqlField, type SqlFields, toScalar } from './sqlField';
import { addedFields, parseProjection, type Projection, unsetTree } from '../stages/projectStage';

/** Returns the fields after `$project`, if SQL can express all of them. */
function projectedFields(fields: SqlFields, stage: Stage): SqlFields | undefined {
  const { tree, excludes } = parseProjection(stage);
  return excludes ? fieldsWithout(fields, tree) : fieldsWithOnly(fields, tree);
}

/** Returns the fields after `$unset`. */
function fieldsAfterUnset(fields: SqlFields, stage: Stage): SqlFields | undefined {
  return fieldsWithout(fields, unsetTree(stage));
}

/** Returns the fields after `$addFields`. */
function fieldsAfterAdding(fields: SqlFields, stage: Stage): SqlFields | undefined {
  const result = new Map(fields);
  for (const [name, rule] of addedFields(stage)) {
    const field = 'leaf' in rule ? addedField(fields, rule.leaf) : undefined;
    if (field === undefined) return undefined;
    result.set(name, field);
  }
  return result;
}

function addedField(fields: SqlFields, expression: unknown): SqlField | undefined {
  const isLiteral = expression === null || ['number', 'boolean'].includes(typeof expression);
  return isLiteral ? { kind: 'constant', value: expression } : computedSql(fields, expression);
}

function fieldsWithout(fields: SqlFields, tree: Projection): SqlFields | undefined {
  const isOutermost = [...tree.values()].every((rule) => 'leaf' in rule);
  return isOutermost ? new Map([...fields].filter(([name]) => !isExcluded(tree, name))) : undefined;
}

function isExcluded(tree: Projection, name: string): boolean {
  const rule = tree.get(name);
  return rule !== undefined && 'leaf' in rule && rule.leaf === 'exclude';
}

function fieldsWithOnly(fields: SqlFields, tree: Projection): SqlFields | undefined {
  const result = new Map<string, SqlField>();
  for (const [name, field] of fields) {
    const rule = tree.get(name);
    if (rule === undefined || ('leaf' in rule && rule.leaf !== 'include')) continue;
    if ('leaf' in rule) {
      result.set(name, field);
    } else if (field.kind === 'json' && field.picked === undefined && includesOnly(rule)) {
      result.set(name, { ...field, picked: rule });
    } else {
      return undefined;
    }
  }
  for (const [name, rule] of tree) {
    if ('leaf' in rule && typeof rule.leaf === 'object') {
      const field = computedSql(fields, rule.leaf.expression);
      if (field === undefined) return undefined;
      result.set(name, field);
    } else if (!('leaf' in rule) && !fields.has(name) && !includesOnly(rule)) {
      return undefined;
    }
  }
  return result;
}

function includesOnly(tree: Projection): boolean {
  return [...tree.values()].every((rule) =>
    'leaf' in rule ? rule.leaf === 'include' : includesOnly(rule),
  );
}

/** Pipeline split into two parts: the SQL query, and the stages that run on its result. */
export interface Plan {
  selection: Selection;
  stages: readonly Stage[];
}

/** The fields of readings. */
export interface ReadingsFields {
  /** Shape of the values in `data`. */
  shape: DataShape;
  /** True if readings have IDs, as in a `PipelineJob`. */
  hasIds?: boolean | undefined;
}

/**
 * Pushes leading stages down to SQL as long as SQL produces exactly the same results as MongoDB.
 * Also pushes down the translatable part of a `$match` that follows. The stages must be valid, that
 * is, compiled without an error.
 */
export function planPipeline(
  stages: readonly Stage[],
  { shape, hasIds }: ReadingsFields,
  expressions: Expressions,
): Plan {
  const getConstant = constants(expressions);
  let selection = allReadings(shape, hasIds);
  for (const [index, stage] of stages.entries()) {
    const { done, rest } = pushed(selection, stage, getConstant);
    selection = done ?? selection;
    if (done === undefined || rest !== undefined) {
      const left = [...(rest === undefined ? [stage] : [rest]), ...stages.slice(index + 1)];
      return { selection: withNeeded(selection, neededFields(left)), stages: left };
    }
  }
  return { selection, stages: [] };
}

function withNeeded(selection: Selection, needed: ReadonlySet<string> | undefined): Selection {
  return needed === undefined
    ? selection
    : {
        ...selection,
        fields: new Map([...selection.fields].filter(([name]) => needed.has(name))),
      };
}

interface Pushed {
  /** The documents after the stage, or after the part of it that SQL can execute. */
  done?: Selection | undefined;
  /** Part of the stage that SQL can't execute. */
  rest?: Stage;
}

function pushed(selection: Selection, stage: Stage, getConstant: GetConstant): Pushed {
  switch (stage.name) {
    case '$match':
      return matched(isCut(selection) ? nested(selection) : selection, stage, getConstant);
    case '$sort':
      return { done: sorted(isCut(selection) ? nested(selection) : selection, stage) };
    case '$limit':
      return { done: limited(selection, Number(stage.spec)) };
    case '$skip':
      return { done: skipped(selection, Number(stage.spec)) };
    case '$sample':
      return { done: sampled(isCut(selection) ? nested(selection) : selection, stage) };
    case '$count':
      return { done: counted(selection, countField(stage)) };
    case '$group':
      return { done: groupedBy(selection, stage) };
    case '$sortByCount':
      return { done: countedBy(selection, stage) };
    case '$project':
      return { done: withFields(selection, projectedFields(selection.fields, stage)) };
    case '$addFields':
    case '$set':
      return { done: withFields(selection, fieldsAfterAdding(selection.fields, stage)) };
    case '$unset':
      return { done: withFields(selection, fieldsAfterUnset(selection.fields, stage)) };
    case '$replaceRoot':
      return { done: rootedAt(selection, getSpec(stage).newRoot) };
    case '$replaceWith':
      return { done: rootedAt(selection, stage.spec) };
    default:
      return {};
  }
}

/**
 * Returns a selection for a document that is composed in SQL, such as the first document of each
 * group.
 */
function rootedAt(selection: Selection, root: unknown): Selection | undefined {
  const field = computedSql(selection.fields, root);
  return field?.kind === 'document' ? { ...selection, fields: field.fields } : undefined;
}

function withFields(
  selection: Selection,
  fields: Selection['fields'] | undefined,
): Selection | undefined {
  return fields === undefined ? undefined : { ...selection, fields };
}

function matched(selection: Selection, stage: Stage, getConstant: GetConstant): Pushed {
  const { sql, rest } = splitCondition({ fields: selection.fields, getConstant }, getSpec(stage));
  const done = { ...selection, where: [...selection.where, ...sql] };
  return rest === undefined ? { done } : { done, rest: { ...stage, spec: rest } };
}

function getSpec({ spec }: Stage): Document {
  return isDocument(spec) ? spec : {};
}

function sorted(selection: Selection, stage: Stage): Selection | undefined {
  const keys = stageSortKeys(stage, stage.spec);
  const order = keys.map(({ path, descending }, index): OrderKey | undefined => {
    const field = fieldAt(selection.fields, path);
    // Submillisecond precision can only break ties, so it matters only in the last key.
    const sql = index === keys.length - 1 ? toScalar(field)?.sql : keySql(field);
    return sql === undefined ? undefined : { sql, descending };
  });
  const known = order.filter((key) => key !== undefined);
  return known.length < order.length ? undefined : { ...selection, order: known };
}

function limited(selection: Selection, count: number): Selection {
  return { ...selection, limit: Math.min(count, selection.limit ?? count) };
}

function skipped(selection: Selection, count: number): Selection {
  const { limit, offset } = selection;
  return {
    ...selection,
    limit: limit === undefined ? undefined : Math.max(0, limit - count),
    offset: offset + count,
  };
}

function sampled(selection: Selection, stage: Stage): Selection {
  const order = [{ sql: 'random()', descending: false }];
  return { ...selection, order, limit: sampleSize(stage) };
}

function counted(selection: Selection, field: string): Selection | undefined {
  const counts = grouped(selection, null, [{ name: field, operator: '$count', operand: {} }]);
  return counts && { ...counts, fields: withoutId(counts.fields) };
}

function withoutId(fields: Selection['fields']): Selection['fields'] {
  return new Map([...fields].filter(([name]) => name !== '_id'));
}

function groupedBy(selection: Selection, stage: Stage): Selection | undefined {
  const { _id, ...fields } = getSpec(stage);
  return grouped(selection, _id, groupFields(stage, fields));
}

function countedBy(selection: Selection, stage: Stage): Selection | undefined {
  const count = { name: 'count', operator: '$count', operand: {} };
  const counts = grouped(selection, stage.spec, [count]);
  return counts && sorted(counts, { ...stage, spec: { count: -1 } });
}

/** Stages whose output documents contain only the fields that the stage specifies. */
const MAKES_NEW: ReadonlySet<string> = new Set([
  ...['$group', '$bucket', '$bucketAuto', '$count', '$sortByCount'],
  ...['$replaceRoot', '$replaceWith'],
]);

/** Stages that can use all fields. */
const READS_ALL_FIELDS: ReadonlySet<string> = new Set(['$redact', '$facet']);

/**
 * Returns the names of the fields that these stages can use or pass on; undefined if the stages can
 * use all fields. Includes every word that could be a name, because extra names are harmless.
 */
function neededFields(stages: readonly Stage[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const stage of stages) {
    if (READS_ALL_FIELDS.has(stage.name) || !addNames(stage.spec, names)) return undefined;
    if (
      MAKES_NEW.has(stage.name) ||
      (stage.name === '$project' && !parseProjection(stage).excludes)
    ) {
      return names.add('_id');
    }
  }
  return undefined;
}

/** Adds all words in a value to `names`. Returns false if a word refers to the whole document. */
function addNames(value: unknown, names: Set<string>): boolean {
  if (typeof value === 'string') {
    const [name = '', inner] = value.replace(/^\$\$(?:ROOT|CURRENT)(?:\.|$)/u, '$').split('.');
    names.add(name.replace(/^\$/u, ''));
    return name !== '$' && inner !== '';
  }
  if (Array.isArray(value)) return value.every((item) => addNames(item, names));
  return isDocument(value)
    ? Object.entries(value).every(
        ([name, member]) =>
          name !== '$getField' && addNames(name, names) && addNames(member, names),
      )
    : true;
}
