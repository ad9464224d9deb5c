import type { Expressions } from '../expressions';
import type { RunStage, Stage } from '../stage';
import { isDocument, type Document } from '../values/document';
import { fieldTree, type FieldTree } from '../values/fieldTree';
import { checked, eachDocument, parseExpression, requireDocument } from './support';

/** `$addFields` and `$set`: adds fields to the documents or replaces existing fields. */
export function addFieldsStage(stage: Stage, expressions: Expressions): RunStage {
  const tree = addedFields(stage);
  return eachDocument(stage, (document) =>
    withAdded(tree, document, (expression) => expressions.compute(document, expression)),
  );
}

/** Returns the expressions of `$addFields` by the paths of their fields. */
export function addedFields(stage: Stage): FieldTree<unknown> {
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
  if (Array.isArray(value)) {
    return value.map((item) => addedWithin(tree, item, compute));
  }
  return withAdded(tree, isDocument(value) ? value : {}, compute);
}
