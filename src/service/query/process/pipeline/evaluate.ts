import type { Options } from 'mingo/types';
import { OpType } from 'mingo/core';
import { type Document, isDocument } from './document';

/** Options in the form that mingo passes to its operators. Its type isn't exported. */
interface ScopedOptions extends Options {
  readonly local: { readonly variables?: Document; readonly root?: Document };
  readonly now: Date;
  update: (locals: { root?: unknown; variables?: Document }) => ScopedOptions;
}

/** Returns options with more variables for nested expressions, and with the document. */
export function withScope(
  options: Options,
  locals: { root?: unknown; variables?: Document },
): Options {
  const { init } = options.constructor as unknown as {
    init: (options: Options) => ScopedOptions;
  };
  return init(options).update(locals);
}

/**
 * Evaluates an expression on a document. Returns undefined if the result is missing. Missing values
 * become null in arrays and are omitted from documents. In contrast, mingo's own evaluation returns
 * undefined elements and members, reads elements of arrays by index (`$list.0`), and finds `$$this`
 * outside of the operators that define it.
 */
export function evaluate(document: Document, expression: unknown, options: Options): unknown {
  if (typeof expression === 'string') {
    return expression.startsWith('$')
      ? evaluateReference(document, expression, options as ScopedOptions)
      : expression;
  }
  if (Array.isArray(expression)) {
    return expression.map((item: unknown): unknown => evaluate(document, item, options) ?? null);
  }
  if (!isDocument(expression)) return expression;
  const operator = findOperator(expression);
  if (operator !== undefined) {
    return evaluateOperator(document, [operator, expression[operator]], options);
  }
  const members = Object.entries(evaluateMembers(document, expression, options));
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Evaluates the members of a document, such as an operator's named operands. */
export function evaluateMembers(document: Document, members: Document, options: Options): Document {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, evaluate(document, member, options)]),
  );
}

/** Returns true for a document that isn't an operator with its operand. */
export function isLiteralDocument(expression: unknown): expression is Document {
  return isDocument(expression) && findOperator(expression) === undefined;
}

function findOperator(expression: Document): string | undefined {
  const [name] = Object.keys(expression);
  return name?.startsWith('$') === true ? name : undefined;
}

function evaluateOperator(
  document: Document,
  [name, operand]: readonly [string, unknown],
  options: Options,
): unknown {
  const operator = options.context.getOperator(OpType.EXPRESSION, name);
  if (operator === null) throw new TypeError(`unknown expression operator ${name}`);
  return operator(document, operand, options);
}

const DECISIONS: readonly string[] = ['$$KEEP', '$$PRUNE', '$$DESCEND'];

function evaluateReference(document: Document, reference: string, options: ScopedOptions): unknown {
  if (DECISIONS.includes(reference)) return reference;
  const [first = '', ...path] = reference.split('.');
  return first.startsWith('$$')
    ? valueAtPath(findVariable(document, first.slice(2), options), path)
    : valueAtPath(document, [first.slice(1), ...path]);
}

function findVariable(document: Document, name: string, options: ScopedOptions): unknown {
  switch (name) {
    case 'ROOT':
      return options.local.root ?? document;
    case 'CURRENT':
      return document;
    case 'REMOVE':
      return undefined;
    case 'NOW':
      return new Date(options.now);
  }
  const scopes = [options.local.variables ?? {}, (options.variables ?? {}) as Document];
  const scope = scopes.find((variables) => Object.hasOwn(variables, name));
  if (scope === undefined) throw new TypeError(`undefined variable $$${name}`);
  return scope[name];
}

/** An array along the path results in an array of the values in its documents. */
function valueAtPath(start: unknown, path: readonly string[]): unknown {
  let value = start;
  for (const [depth, name] of path.entries()) {
    if (Array.isArray(value)) {
      const rest = path.slice(depth);
      return value
        .filter(isDocument)
        .map((element) => valueAtPath(element, rest))
        .filter((element) => element !== undefined);
    }
    if (!isDocument(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
