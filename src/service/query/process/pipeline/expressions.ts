import { Aggregator } from 'mingo/aggregator';
import { Context, evalExpr, OpType, ProcessingMode } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import * as projections from 'mingo/operators/projection';
import * as queries from 'mingo/operators/query';
import type { Iterator } from 'mingo/lazy';
import { Query } from 'mingo/query';
import type { Options } from 'mingo/types';
import { comparisonOperators } from './comparisonOperators';
import { dateOperators } from './dates/dateOperators';
import { TimeZones } from './dates/timeZones';
import type { StagePath } from './stage';
import { typeCondition, typeOf } from './typeOperators';
import { isDocument, type Document } from './values/document';

/**
 * Computes the expressions, conditions and accumulators of one pipeline. All see the same `$$NOW`.
 * What they throw names what is wrong with the caller's text or with the values it met.
 */
export class Expressions {
  readonly #now: number;
  /** Of the pipelines around this one: `$$name` stands for a value. It is shared with mingo. */
  readonly #variables: Document = {};
  readonly #options: Options;

  constructor(now = Date.now()) {
    this.#now = now;
    this.#options = this.#optionsFor();
  }

  /** What mingo's own stages compute with. Each of them needs one of its own. */
  get stageOptions(): Options {
    return this.#optionsFor();
  }

  /** Those of a pipeline within a stage of this one, at the same time, with variables of its own. */
  nested(): Expressions {
    return new Expressions(this.#now);
  }

  /** Sets the variables to those of the pipeline around this one, and these. */
  bind(outer: Expressions, values: Document): void {
    for (const name of Object.keys(this.#variables)) {
      Reflect.deleteProperty(this.#variables, name);
    }
    Object.assign(this.#variables, outer.#variables, values);
  }

  /** Whether a text such as `$$name.field` stands for a variable that has a value. */
  isVariable(text: string): boolean {
    const name = /^\$\$([a-z]\w*)(?:\.|$)/u.exec(text)?.[1];
    return name !== undefined && Object.hasOwn(this.#variables, name);
  }

  #optionsFor(): Options {
    return optionsFor({ now: this.#now, variables: this.#variables });
  }

  /** The value of an expression over a document; undefined is missing. */
  compute(document: Document, expression: unknown): unknown {
    const value: unknown = evalExpr(document, expression, this.#options);
    // What is missing is null in an array.
    return Array.isArray(expression) && Array.isArray(value)
      ? value.map((item: unknown) => item ?? null)
      : value;
  }

  /** A test of documents by a condition, such as `$match` has. */
  test(condition: Document): (document: Document) => boolean {
    const query = new Query(condition, this.#options);
    return (document) => query.test(document);
  }

  /** The value of an accumulator over the documents of a group. */
  accumulate(name: string, documents: Document[], expression: unknown): unknown {
    const operator = this.#options.context.getOperator(OpType.ACCUMULATOR, name);
    const value: unknown = operator?.(documents, expression, this.#options);
    // mingo answers a list of the one that is asked for.
    return SINGLE.has(name) && Array.isArray(value) ? (value as unknown[])[0] : value;
  }
}

/** Whether `$group` and its kin know an accumulator. */
export function isAccumulator(name: string): boolean {
  return name in safeAccumulators && !WINDOW_ONLY.has(name);
}

/** What is wrong with an expression, as a sentence, and where in it. */
export interface ExpressionFault {
  said: string;
  path: StagePath;
}

/** What is wrong with an expression whatever the documents are like; undefined when nothing is. */
export function expressionFault(expression: unknown): ExpressionFault | undefined {
  if (Array.isArray(expression)) {
    return firstFault(expression);
  }
  if (!isDocument(expression)) {
    return undefined;
  }
  const names = Object.keys(expression);
  const operator = names.find((name) => name.startsWith('$'));
  if (operator === undefined) {
    return firstFault(expression);
  }
  const path = [operator];
  if (names.length > 1) {
    const said = `an expression must have exactly one operator; this one has ${names.join(', ')}`;
    return { said, path };
  }
  if (operator === '$literal') {
    return undefined;
  }
  if (!isExpression(operator)) {
    return { said: `unknown expression operator ${operator}`, path };
  }
  const operand = expression[operator];
  // The branches of $switch and the variables of $let are named, and hold expressions.
  const fault = isDocument(operand) ? firstFault(operand) : expressionFault(operand);
  return fault && { ...fault, path: [...path, ...fault.path] };
}

function firstFault(values: object): ExpressionFault | undefined {
  for (const [name, value] of Object.entries(values)) {
    const fault = expressionFault(value);
    if (fault !== undefined) {
      return { ...fault, path: [name, ...fault.path] };
    }
  }
  return undefined;
}

function isExpression(name: string): boolean {
  return name in safeExpressions || name in safeAccumulators;
}

const WINDOW_ONLY: ReadonlySet<string> = new Set(['$covariancePop', '$covarianceSamp']);
const SINGLE: ReadonlySet<string> = new Set(['$top', '$bottom']);

const safeAccumulators = without(accumulators, ['$accumulator']);
const safeExpressions = without(expressions, ['$function']);
const safeQueries = without(queries, ['$where', '$jsonSchema']);

/** Without what runs code, reads other collections or wants a library of its own. */
function operatorContext(): Context {
  return Context.init({
    accumulator: safeAccumulators,
    expression: {
      ...{ ...safeExpressions, ...dateOperators(new TimeZones()) },
      ...{ ...comparisonOperators, $getField: getField, $type: typeOf },
    },
    projection: projections,
    query: { ...safeQueries, $type: typeCondition },
  });
}

/** Without what every object of JavaScript has, which mingo's own would answer. */
function getField(document: unknown, argument: unknown, options: Options): unknown {
  const given: unknown = evalExpr(document, argument, options);
  const isShort = !isDocument(argument) || !('field' in argument);
  const { field, input } = isShort ? { field: given, input: document } : (given as Document);
  const target = isShort || !('input' in argument) ? document : input;
  if (typeof field !== 'string') {
    throw new TypeError('$getField: the name of the field must be a string');
  }
  return isDocument(target) && Object.hasOwn(target, field) ? target[field] : undefined;
}

/**
 * Options in the form that mingo hands to its operators, taken from where it does so: with any other
 * it would copy the table of operators for each document.
 */
function optionsFor({ now, variables }: { now: number; variables: Document }): Options {
  const handed: Options[] = [];
  const context = operatorContext().addPipelineOps({
    $hand: (documents: Iterator, _spec: unknown, options: Options) => {
      handed.push(options);
      return documents;
    },
  });
  const given = {
    ...{ idKey: '_id', processingMode: ProcessingMode.CLONE_OFF, useStrictMode: true },
    ...{ failOnError: true, scriptEnabled: false, context, variables },
  };
  new Aggregator([{ $hand: {} }], given).stream([]);
  const [options] = handed;
  if (options === undefined) {
    throw new Error('mingo handed no options to its stage');
  }
  fixTime(options, now);
  return options;
}

/** mingo would take the time when it is first asked for it. It hands on what it has. */
function fixTime(options: Options, timestamp: number): void {
  Object.assign(Reflect.get(options, 'local') as object, { timestamp });
}

function without<Operators extends object>(
  operators: Operators,
  names: readonly (keyof Operators)[],
): Operators {
  const safe = { ...operators };
  for (const name of names) {
    Reflect.deleteProperty(safe, name);
  }
  return safe;
}
