import type { Expressions } from '../expressions';
import { isDocument } from '../values/document';

/** The value of an expression that is the same for all documents; undefined when it is not. */
export type ConstantOf = (expression: unknown) => { value: unknown } | undefined;

/** What answers otherwise each time. */
const BY_CHANCE: ReadonlySet<string> = new Set(['$rand', '$sampleRate']);

/** Computes expressions that name no field, such as what was 24 hours ago. */
export function constants(expressions: Expressions): ConstantOf {
  return (expression) => {
    if (!isConstant(expression, expressions)) {
      return undefined;
    }
    try {
      const value = expressions.compute({}, expression);
      // A variable of what a document does not have.
      return value === undefined ? undefined : { value };
    } catch {
      // The stage itself finds it, and says so, when there is a document.
      return undefined;
    }
  };
}

function isConstant(expression: unknown, expressions: Expressions): boolean {
  if (typeof expression === 'string') {
    return (
      !expression.startsWith('$') || expression === '$$NOW' || expressions.isVariable(expression)
    );
  }
  if (Array.isArray(expression)) {
    return expression.every((item) => isConstant(item, expressions));
  }
  return isDocument(expression)
    ? Object.entries(expression).every(
        ([name, value]) =>
          name === '$literal' || (!BY_CHANCE.has(name) && isConstant(value, expressions)),
      )
    : true;
}
