import { getOwn } from '../../../../../base/getOwn';
import type { Expressions } from '../expressions';
import { type RunStage, type Stage, stageError } from '../stage';
import { type Document, fieldTree, type FieldTree, isDocument } from '../document';
import { checked, eachDocument, parseExpression, requireDocument } from './stageCompiler';

/** A field's projection: included, excluded, or computed. */
export type Projected = 'include' | 'exclude' | { expression: unknown };
export type Projection = FieldTree<Projected>;

/** `$project`: either includes and computes fields or excludes fields. */
export function projectStage(stage: Stage, expressions: Expressions): RunStage {
  const { tree, excludes } = parseProjection(stage);
  return eachDocument(stage, (document) =>
    excludes
      ? without(tree, document)
      : withOnly(tree, document, (expression) => expressions.compute(document, expression)),
  );
}

/** `$unset`: removes fields. */
export function unsetStage(stage: Stage): RunStage {
  const tree = unsetTree(stage);
  return eachDocument(stage, (document) => without(tree, document));
}

/** Returns the fields that `$unset` lists. */
export function unsetTree(stage: Stage): Projection {
  const names: unknown[] = Array.isArray(stage.spec) ? stage.spec : [stage.spec];
  if (names.length === 0 || names.some((name) => typeof name !== 'string')) {
    throw stageError(stage, 'it must name a field, or several fields in an array');
  }
  const fields = Object.fromEntries(names.map((name) => [String(name), 0]));
  return checked(stage, () => fieldTree<Projected>(fields, () => 'exclude'));
}

/**
 * Parses `$project`. Includes `_id` by default.
 * @throws JobError InvalidArgument if the specification both includes and excludes fields.
 */
export function parseProjection(stage: Stage): { tree: Projection; excludes: boolean } {
  const spec = requireDocument(stage);
  if (Object.keys(spec).length === 0) throw stageError(stage, 'it must name at least one field');
  const exclusions = new Set<boolean>();
  const tree = checked(stage, () =>
    fieldTree<Projected>(spec, (value, path) => {
      const projected = parseProjected(stage, value);
      if (path !== '_id') exclusions.add(projected === 'exclude');
      return projected;
    }),
  );
  if (exclusions.size === 2) {
    throw stageError(
      stage,
      'fields must be either included (1, or an expression) or excluded (0), except for _id',
    );
  }
  const [excludes = spec._id === 0 || spec._id === false] = exclusions;
  const hasId = tree.has('_id') || excludes;
  return {
    tree: hasId ? tree : new Map([['_id', { leaf: 'include' as const }], ...tree]),
    excludes,
  };
}

function parseProjected(stage: Stage, value: unknown): Projected {
  if (typeof value === 'number' || typeof value === 'boolean') return value ? 'include' : 'exclude';
  if (isDocument(value) && Object.keys(value).length === 0) {
    throw stageError(stage, 'a field must not be an empty document; use {"$literal": {}}');
  }
  return { expression: parseExpression(stage, value) };
}

/**
 * Returns the document without the fields that the tree excludes, including those within arrays.
 */
function without(tree: Projection, document: Document): Document {
  const members = Object.entries(document).flatMap(([name, value]): [string, unknown][] => {
    const rule = tree.get(name);
    if (rule === undefined) return [[name, value]];
    if (!('leaf' in rule)) return [[name, within(value, (inner) => without(rule, inner))]];
    return rule.leaf === 'exclude' ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

/**
 * Returns the document with only the fields that the tree includes or computes. Preserves the field
 * order.
 */
export function withOnly(
  tree: Projection,
  document: Document,
  compute: (expression: unknown) => unknown,
): Document {
  const included: [string, unknown][] = [];
  for (const [name, value] of Object.entries(document)) {
    const rule = tree.get(name);
    if (rule === undefined) continue;
    if (!('leaf' in rule)) {
      const inner = within(value, (part) => withOnly(rule, part, compute));
      if (Array.isArray(inner)) {
        included.push([name, withoutScalars(inner)]);
      } else if (isDocument(inner)) {
        included.push([name, inner]);
      }
    } else if (rule.leaf === 'include') {
      included.push([name, value]);
    }
  }
  const result: Document = Object.fromEntries(included);
  for (const [name, rule] of tree) {
    const value =
      'leaf' in rule ? computed(rule.leaf, compute) : created(rule, getOwn(result, name), compute);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function computed(leaf: Projected, compute: (expression: unknown) => unknown): unknown {
  return typeof leaf === 'object' ? compute(leaf.expression) : undefined;
}

/** Returns a new embedded document that contains computed fields. */
function created(
  tree: Projection,
  there: unknown,
  compute: (expression: unknown) => unknown,
): unknown {
  return there === undefined && hasComputedField(tree) ? withOnly(tree, {}, compute) : undefined;
}

function hasComputedField(tree: Projection): boolean {
  return [...tree.values()].some((rule) =>
    'leaf' in rule ? typeof rule.leaf === 'object' : hasComputedField(rule),
  );
}

/** Applies a change to an embedded document, or to each document in an array. */
function within(value: unknown, change: (document: Document) => Document): unknown {
  if (Array.isArray(value)) return value.map((item) => within(item, change));
  return isDocument(value) ? change(value) : value;
}

function withoutScalars(items: readonly unknown[]): unknown[] {
  return items.filter((item) => Array.isArray(item) || isDocument(item));
}

/** `$addFields` and `$set`: adds fields to the documents or replaces existing fields. */
export function addFieldsStage(stage: Stage, expressions: Expressions): RunStage {
  const tree = addedFields(stage);
  return eachDocument(stage, (document) =>
    withAdded(tree, document, (expression) => expressions.compute(document, expression)),
  );
}

/** Returns the expressions in `$addFields` by their fields' paths. */
export function addedFields(stage: Stage): FieldTree<unknown> {
  if (Object.keys(requireDocument(stage)).length === 0) {
    throw stageError(stage, 'it must name at least one field');
  }
  return checked(stage, () =>
    fieldTree<unknown>(requireDocument(stage), (value) => parseExpression(stage, value)),
  );
}

function withAdded(
  tree: FieldTree<unknown>,
  document: Document,
  compute: (expression: unknown) => unknown,
): Document {
  const changed = { ...document };
  for (const [name, rule] of tree) {
    const value = 'leaf' in rule ? compute(rule.leaf) : addedWithin(rule, changed[name], compute);
    if (value === undefined) {
      Reflect.deleteProperty(changed, name);
    } else {
      changed[name] = value;
    }
  }
  return changed;
}

function addedWithin(
  tree: FieldTree<unknown>,
  value: unknown,
  compute: (expression: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((item) => addedWithin(tree, item, compute));
  return withAdded(tree, isDocument(value) ? value : {}, compute);
}
