import type { Expressions } from '../expressions';
import { isDocument } from '../values/document';

/**
 * Returns the value of an expression that is the same for all documents; undefined if the
 * expression isn't constant.
 */
export type GetConstant = (expression: unknown) => { value: unknown } | undefined;

/** Operators that return random results. */
const BY_CHANCE: ReadonlySet<string> = new Set(['$rand', '$sampleRate']);

/** Returns a function that evaluates expressions without fields, such as the time 24 hours ago. */
export function constants(expressions: Expressions): GetConstant {
  return (expression) => {
    if (!isConstant(expression, expressions)) {
      return undefined;
    }
    try {
      const value = expressions.compute({}, expression);
      // The expression is a variable without a value.
      return value === undefined ? undefined : { value };
    } catch {
      // If there is a document, the stage itself reports the error.
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
