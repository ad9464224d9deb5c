import type { Options } from 'mingo/types';
import { type Document, isDocument, isNullish } from './document';
import { evaluate, evaluateMembers, withScope } from './evaluate';
import { requireCount } from './gatherers';
import { type ExpressionOperators, requireNamed } from './operands';
import { requireArray } from './setOperators';
import { isTrue } from './truth';

/**
 * Operators that define variables for an inner expression. In mingo, `$$this` in an inner `$reduce`
 * is the element of an outer `$map` or `$filter`.
 */
export const scopeOperators: Readonly<ExpressionOperators> = {
  $let: (document, operand, options) => {
    const { vars, in: inner } = requireNamed('$let', operand, {
      known: ['vars', 'in'],
      required: ['vars', 'in'],
    });
    if (!isDocument(vars)) throw new TypeError('$let: vars must be a document');
    Object.keys(vars).forEach((name) => toVariable('$let', name));
    const variables = evaluateMembers(document, vars, options);
    return evaluate(document, inner, withScope(options, { variables }));
  },
  $map: (document, operand, options) => {
    const names = { known: ['input', 'as', 'in'], required: ['input', 'in'] };
    const { input, as, in: inner } = requireNamed('$map', operand, names);
    const elements: unknown = evaluate(document, input, options);
    if (isNullish(elements)) return null;
    const variable = toVariable('$map', as);
    return requireArray('$map', elements).map(
      (element) => withVariables(document, inner, options, { [variable]: element }) ?? null,
    );
  },
  $filter: (document, operand, options) => {
    const names = { known: ['input', 'as', 'cond', 'limit'], required: ['input', 'cond'] };
    const { input, as, cond, limit } = requireNamed('$filter', operand, names);
    const elements: unknown = evaluate(document, input, options);
    if (isNullish(elements)) return null;
    const count: unknown = evaluate(document, limit, options);
    const max = isNullish(count) ? Infinity : requireCount(count, 'limit');
    const variable = toVariable('$filter', as);
    const matches: unknown[] = [];
    for (const element of requireArray('$filter', elements)) {
      if (matches.length >= max) break;
      const variables = { [variable]: element };
      if (isTrue(withVariables(document, cond, options, variables))) matches.push(element);
    }
    return matches;
  },
  $reduce: (document, operand, options) => {
    const names = ['input', 'initialValue', 'in'];
    const {
      input,
      initialValue,
      in: inner,
    } = requireNamed('$reduce', operand, {
      known: names,
      required: names,
    });
    const elements: unknown = evaluate(document, input, options);
    if (isNullish(elements)) return null;
    let value: unknown = evaluate(document, initialValue, options);
    for (const element of requireArray('$reduce', elements)) {
      value = withVariables(document, inner, options, { this: element, value });
    }
    return value;
  },
};

const VARIABLE = /^[a-z\P{ASCII}][\w\P{ASCII}]*$/u;

function toVariable(name: string, as: unknown = 'this'): string {
  if (typeof as !== 'string' || !VARIABLE.test(as)) {
    throw new TypeError(
      `${name}: ${JSON.stringify(as)} is not the name of a variable; begin it with a small letter`,
    );
  }
  return as;
}

function withVariables(
  document: Document,
  expression: unknown,
  options: Options,
  variables: Document,
): unknown {
  return evaluate(document, expression, withScope(options, { variables }));
}
