import { Aggregator } from 'mingo/aggregator';
import { Context, OpType, ProcessingMode } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import * as projections from 'mingo/operators/projection';
import * as queries from 'mingo/operators/query';
import type { Iterator } from 'mingo/lazy';
import { Query } from 'mingo/query';
import type { Options } from 'mingo/types';
import { conditionOperators } from './conditionOperators';
import { conversionOperators } from './conversionOperators';
import { dateOperators } from './dateOperators';
import { type Document, isDocument } from './document';
import { evaluate, withScope } from './evaluate';
import { expressionOperators } from './expressionOperators';
import { withEvaluatedOperands, withOperands } from './operands';
import type { StagePath } from './stage';
import { TimeZones } from './timeZones';

/**
 * Evaluates the expressions, conditions, and accumulators in one pipeline, all with the same
 * `$$NOW`. Errors describe the problem in the caller's query or in the values.
 */
export class Expressions {
  private readonly now: number;
  /** Variables from the enclosing pipelines (`$$name`). Shared with mingo. */
  private readonly variables: Document = {};
  private readonly options: Options;

  constructor(now = Date.now()) {
    this.now = now;
    this.options = this.optionsFor();
  }

  /** Options for mingo's built-in stages. Each stage requires a separate object. */
  get stageOptions(): Options {
    return this.optionsFor();
  }

  /**
   * Returns the expressions for a pipeline within a stage. They use the same time but separate
   * variables.
   */
  nested(): Expressions {
    return new Expressions(this.now);
  }

  /** Sets the variables to those from the enclosing pipeline, plus the given values. */
  bind(outer: Expressions, values: Document): void {
    for (const name of Object.keys(this.variables)) {
      Reflect.deleteProperty(this.variables, name);
    }
    Object.assign(this.variables, outer.variables, values);
  }

  /** Returns true if text such as `$$name.field` refers to a variable that has a value. */
  isVariable(text: string): boolean {
    const name = /^\$\$([a-z]\w*)(?:\.|$)/u.exec(text)?.[1];
    return name !== undefined && Object.hasOwn(this.variables, name);
  }

  private optionsFor(): Options {
    return optionsFor({ now: this.now, variables: this.variables });
  }

  /**
   * Evaluates an expression on a document. Returns undefined if the result is missing.
   * @param root value of `$$ROOT`: the document itself, or the one in which it is embedded
   */
  compute(document: Document, expression: unknown, root = document): unknown {
    // mingo's operators would otherwise set the document for each of their operands.
    const isReference = typeof expression === 'string' && root === document;
    const options = isReference ? this.options : withScope(this.options, { root });
    return evaluate(document, expression, options);
  }

  /** Returns a function that tests documents with a condition, as in `$match`. */
  test(condition: Document): (document: Document) => boolean {
    const query = new Query(condition, this.options);
    return (document) => query.test(document);
  }

  /** Evaluates an accumulator over the documents in a group. */
  accumulate(name: string, documents: Document[], expression: unknown): unknown {
    const operator = this.options.context.getOperator(OpType.ACCUMULATOR, name);
    return operator?.(documents, expression, this.options);
  }
}

/** Returns true if `$group` and related stages support an accumulator. */
export function isAccumulator(name: string): boolean {
  return Object.hasOwn(safeAccumulators, name) && !WINDOW_ONLY.has(name);
}

/** Error in an expression: a sentence and its position. */
export interface ExpressionError {
  message: string;
  path: StagePath;
}

/**
 * Returns the first error in an expression that would occur for any document; undefined if there is
 * none.
 */
export function findExpressionError(expression: unknown): ExpressionError | undefined {
  if (Array.isArray(expression)) return findFirstError(expression);
  if (typeof expression === 'string') return findReferenceError(expression);
  if (!isDocument(expression)) return undefined;
  const names = Object.keys(expression);
  const operator = names.find((name) => name.startsWith('$'));
  if (operator === undefined) return findFirstError(expression);
  const path = [operator];
  if (names.length > 1) {
    const message = `an expression must have exactly one operator; this one has ${names.join(', ')}`;
    return { message, path };
  }
  if (operator === '$literal') return undefined;
  if (!isExpression(operator)) return { message: `unknown expression operator ${operator}`, path };
  const operand = expression[operator];
  // The branches of $switch and the variables of $let are named members that contain expressions.
  const error = isDocument(operand) ? findFirstError(operand) : findExpressionError(operand);
  return error && { ...error, path: [...path, ...error.path] };
}

function findReferenceError(text: string): ExpressionError | undefined {
  if (!text.startsWith('$')) return undefined;
  const names = text.replace(/^\$\$?/u, '').split('.');
  const isPath = !names.some((name) => name === '' || name.startsWith('$'));
  const message = `"${text}" is not the path of a field; use $literal for text that begins with $`;
  return isPath ? undefined : { message, path: [] };
}

function findFirstError(values: object): ExpressionError | undefined {
  for (const [name, value] of Object.entries(values)) {
    const error = findExpressionError(value);
    if (error !== undefined) return { ...error, path: [name, ...error.path] };
  }
  return undefined;
}

function isExpression(name: string): boolean {
  return Object.hasOwn(safeExpressions, name) || Object.hasOwn(expressionOperators, name);
}

const WINDOW_ONLY: ReadonlySet<string> = new Set(['$covariancePop', '$covarianceSamp']);

const safeAccumulators = without(accumulators, ['$accumulator']);
const safeExpressions = without(expressions, ['$function', '$toHashedIndexKey']);
const safeQueries = without(queries, ['$where', '$jsonSchema']);

/**
 * Returns mingo's operators, except those that run code, read other collections, need another
 * library, or compute other hashes than MongoDB.
 */
function operatorContext(): Context {
  const zones = new TimeZones();
  return Context.init({
    accumulator: safeAccumulators,
    expression: {
      ...withOperands({
        ...withEvaluatedOperands(safeExpressions),
        ...expressionOperators,
        ...conversionOperators(zones),
      }),
      ...dateOperators(zones),
    },
    projection: projections,
    query: { ...safeQueries, ...conditionOperators },
  });
}

/**
 * Returns options in the form that mingo passes to its operators, captured from an operator call.
 * With options in any other form, mingo would copy the operator table for each document.
 */
function optionsFor({ now, variables }: { now: number; variables: Document }): Options {
  const handed: Options[] = [];
  const context = operatorContext().addPipelineOps({
    $hand: (documents: Iterator, _spec: unknown, options: Options) => {
      handed.push(options);
      return documents;
    },
  });
  const baseOptions = {
    idKey: '_id',
    processingMode: ProcessingMode.CLONE_OFF,
    useStrictMode: true,
    failOnError: true,
    scriptEnabled: false,
    context,
    variables,
  };
  new Aggregator([{ $hand: {} }], baseOptions).stream([]);
  const [options] = handed;
  if (options === undefined) throw new Error('mingo handed no options to its stage');
  fixTime(options, now);
  return options;
}

/**
 * Sets the time in the options. Otherwise, mingo would use the time of its first evaluation. Mingo
 * doesn't overwrite an existing time.
 */
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
