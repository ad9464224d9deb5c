import { addedFields } from '../stages/addFieldsStage';
import { parseProjection, unsetTree, type Projection } from '../stages/projectStage';
import type { Stage } from '../stage';
import { computedSql } from './computedSql';
import type { SqlField, SqlFields } from './sqlField';

/** Returns the fields after `$project`, if SQL can express all of them. */
export function projectedFields(fields: SqlFields, stage: Stage): SqlFields | undefined {
  const { tree, excludes } = parseProjection(stage);
  return excludes ? fieldsWithout(fields, tree) : fieldsWithOnly(fields, tree);
}

/** Returns the fields after `$unset`. */
export function fieldsAfterUnset(fields: SqlFields, stage: Stage): SqlFields | undefined {
  return fieldsWithout(fields, unsetTree(stage));
}

/** Returns the fields after `$addFields`. */
export function fieldsAfterAdding(fields: SqlFields, stage: Stage): SqlFields | undefined {
  const result = new Map(fields);
  for (const [name, rule] of addedFields(stage)) {
    const field = 'leaf' in rule ? addedField(fields, rule.leaf) : undefined;
    if (field === undefined) {
      return undefined;
    }
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
    if (rule === undefined || ('leaf' in rule && rule.leaf !== 'include')) {
      continue;
    }
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
      if (field === undefined) {
        return undefined;
      }
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
