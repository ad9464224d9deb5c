import { getOwn } from '../../../../base/getOwn';
import { type Document, isDocument, isNullish } from './document';
import { evaluate } from './evaluate';
import { evaluateList, evaluateNamed, type ExpressionOperators, type Operator } from './operands';
import { requireArray } from './setOperators';

/** Operators on embedded documents that behave differently in mingo than in MongoDB. */
export const objectOperators: Readonly<ExpressionOperators> = {
  $arrayToObject: (document, operand, options) => {
    const value: unknown = evaluate(document, operand, options);
    if (isNullish(value)) return null;
    const items = requireArray('$arrayToObject', value);
    if (items.some((item) => Array.isArray(item) !== Array.isArray(items[0]))) {
      throw new TypeError('$arrayToObject needs either arrays or documents, not both');
    }
    return Object.fromEntries(items.map(toMember));
  },
  $objectToArray: (document, operand, options) => {
    const value: unknown = evaluate(document, operand, options);
    if (isNullish(value)) return null;
    return Object.entries(requireDocument('$objectToArray', value)).map(([k, v]) => ({ k, v }));
  },
  $mergeObjects: (...operands) => {
    const values = evaluateList('$mergeObjects', operands, [0, Infinity]);
    const documents = values.filter((value) => !isNullish(value));
    return Object.fromEntries(
      documents.flatMap((value) => Object.entries(requireDocument('$mergeObjects', value))),
    );
  },
  $getField: getField,
  $setField: (...operands) => {
    const names = ['field', 'input', 'value'];
    const values = evaluateNamed('$setField', operands, { known: names, required: names });
    return setField('$setField', values);
  },
  $unsetField: (...operands) => {
    const names = ['field', 'input'];
    const values = evaluateNamed('$unsetField', operands, { known: names, required: names });
    return setField('$unsetField', values);
  },
};

function requireDocument(name: string, value: unknown): Document {
  if (!isDocument(value)) throw new TypeError(`${name} needs documents`);
  return value;
}

function toMember(item: unknown): [string, unknown] {
  const isPair = Array.isArray(item)
    ? item.length === 2
    : isDocument(item) && Object.keys(item).toSorted().join() === 'k,v';
  if (!isPair) {
    throw new TypeError('$arrayToObject needs arrays [name, value] or documents with k and v');
  }
  const [name, value] = Array.isArray(item)
    ? (item as unknown[])
    : [(item as Document).k, (item as Document).v];
  if (typeof name !== 'string') throw new TypeError('$arrayToObject: a name must be a string');
  return [name, value];
}

/**
 * Returns a field. Unlike mingo's implementation, excludes the built-in properties of JavaScript
 * objects.
 */
function getField(...[document, argument, options]: Parameters<Operator>): unknown {
  const isShort = !isDocument(argument) || !('field' in argument);
  const field: unknown = evaluate(document, isShort ? argument : argument.field, options);
  const hasInput = !isShort && 'input' in argument;
  const target: unknown = hasInput ? evaluate(document, argument.input, options) : document;
  if (typeof field !== 'string') {
    throw new TypeError('$getField: the name of the field must be a string');
  }
  if (target === null) return null;
  return isDocument(target) ? getOwn(target, field) : undefined;
}

/** Sets a field, or removes it if the value is missing. */
function setField(name: string, { field, input, value }: Document): Document | null {
  if (typeof field !== 'string') {
    throw new TypeError(`${name}: the name of the field must be a string`);
  }
  if (isNullish(input)) return null;
  const members = { ...requireDocument(name, input), ...Object.fromEntries([[field, value]]) };
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}
