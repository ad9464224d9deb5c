import { type Expressions, isAccumulator } from '../../expressions';
import { LENGTHS } from '../../dateArithmetic';
import { stageError, type Stage } from '../../stage';
import { compareValues } from '../../compareValues';
import { type Document, isDocument, isNullish } from '../../document';
import { interpolate } from '../fillStage';
import type { SortKey } from '../../sortKeys';
import { parseExpression } from '../stageCompiler';
import { accumulateWindows, slide } from './slidingAccumulators';
import { parseWindow, type SortedPartition, type WindowSpans } from './windowBounds';

/** Computes a field for every document in a partition. */
export type WindowFunction = (partition: SortedPartition) => readonly unknown[];

interface Call {
  operand: unknown;
  spans: WindowSpans;
  expressions: Expressions;
  /**
   * Throws an error about the field.
   * @throws JobError InvalidArgument that names the field.
   */
  fail: (message: string) => never;
}

interface Definition {
  sortBy: 'one field' | 'some field' | 'optional';
  window: 'rejected' | 'required' | 'optional';
  compile: (call: Call) => WindowFunction;
}

/**
 * Compiles one output field of `$setWindowFields`.
 * @throws JobError InvalidArgument that names the field if MongoDB wouldn't accept the field
 *   either.
 */
export function compileWindowFunction(
  stage: Stage,
  [name, field]: readonly [string, Document],
  sort: readonly SortKey[],
  expressions: Expressions,
): WindowFunction {
  const fail = (message: string): never => {
    throw stageError(stage, `${name} ${message}`, { path: ['output', name] });
  };
  const [operator = '', ...others] = Object.keys(field).filter((key) => key !== 'window');
  if (!isWindowOperator(operator) || others.length > 0) {
    return fail('must have exactly one operator, such as {"$avg": "$data.readings.temperature"}');
  }
  const definition = DEFINITIONS[operator] ?? accumulator(operator);
  const { sortBy, window } = definition;
  if (sortBy !== 'optional' && (sort.length === 0 || (sortBy === 'one field' && sort.length > 1))) {
    return fail(`has ${operator}, which needs sortBy with ${sortBy}`);
  }
  if (window === 'rejected' && field.window !== undefined) {
    return fail(`has ${operator}, which can't have a window`);
  }
  if (window === 'required' && field.window === undefined) {
    return fail(`has ${operator}, which needs a window, such as {"documents": [-1, 0]}`);
  }
  const operand = parseExpression(stage, field[operator]);
  const spans = parseWindow(stage, name, field.window, sort);
  return definition.compile({ operand, spans, expressions, fail });
}

/** Returns true if `$setWindowFields` supports an operator. */
export function isWindowOperator(name: string): boolean {
  return Object.hasOwn(DEFINITIONS, name) || isAccumulator(name);
}

function accumulator(operator: string): Definition {
  return {
    sortBy: operator === '$first' || operator === '$last' ? 'some field' : 'optional',
    window: 'optional',
    compile:
      ({ operand, spans, expressions }) =>
      (partition) =>
        accumulateWindows(
          partition,
          spans(partition),
          { name: operator, operator, operand },
          expressions,
        ),
  };
}

const DEFINITIONS: Readonly<Record<string, Definition>> = {
  $documentNumber: {
    sortBy: 'some field',
    window: 'rejected',
    compile: () => (partition) => partition.documents.map((_, index) => index + 1),
  },
  $rank: { sortBy: 'one field', window: 'rejected', compile: () => ranks },
  $denseRank: { sortBy: 'one field', window: 'rejected', compile: () => denseRanks },
  $shift: { sortBy: 'some field', window: 'rejected', compile: shift },
  $expMovingAvg: { sortBy: 'some field', window: 'rejected', compile: movingAverage },
  $locf: { sortBy: 'optional', window: 'rejected', compile: carryForward },
  $linearFill: {
    sortBy: 'one field',
    window: 'rejected',
    compile: (call) => (partition) => interpolate(partition.sortValues, inputs(call, partition)),
  },
  $derivative: { sortBy: 'one field', window: 'required', compile: derivative },
  $integral: { sortBy: 'one field', window: 'optional', compile: integral },
  $minMaxScaler: { sortBy: 'optional', window: 'optional', compile: scale },
  $covariancePop: accumulator('$covariancePop'),
  $covarianceSamp: accumulator('$covarianceSamp'),
};

/** Returns an expression's value for each document. */
function inputs(
  { operand, expressions }: Pick<Call, 'operand' | 'expressions'>,
  { documents }: SortedPartition,
): unknown[] {
  return documents.map((document) => expressions.compute(document, operand));
}

function ranks({ sortValues }: SortedPartition): number[] {
  let rank = 0;
  return sortValues.map((value, index) => {
    const isTied = index > 0 && compareValues(value, sortValues[index - 1]) === 0;
    rank = isTied ? rank : index + 1;
    return rank;
  });
}

function denseRanks({ sortValues }: SortedPartition): number[] {
  let rank = 0;
  return sortValues.map((value, index) => {
    const isTied = index > 0 && compareValues(value, sortValues[index - 1]) === 0;
    rank += isTied ? 0 : 1;
    return rank;
  });
}

function shift({ operand, expressions, fail }: Call): WindowFunction {
  const { output, by, default: fallback } = options({ operand, fail }, ['output', 'by', 'default']);
  if (output === undefined || !Number.isSafeInteger(by)) {
    return fail('has $shift, which needs output and by, a whole number');
  }
  const missing = expressions.compute({}, fallback) ?? null;
  return ({ documents }) =>
    documents.map((_, index) => {
      const document = documents[index + Number(by)];
      return document === undefined ? missing : expressions.compute(document, output);
    });
}

function movingAverage({ operand, expressions, fail }: Call): WindowFunction {
  const { input, N, alpha } = options({ operand, fail }, ['input', 'N', 'alpha']);
  const isCount = Number.isSafeInteger(N) && Number(N) > 0;
  const isWeight = typeof alpha === 'number' && alpha > 0 && alpha < 1;
  if (input === undefined || !(alpha === undefined ? isCount : isWeight && N === undefined)) {
    return fail(
      'has $expMovingAvg, which needs input, and either N, a whole number above 0, or alpha, a number between 0 and 1',
    );
  }
  const weight = isWeight ? alpha : 2 / (Number(N) + 1);
  return (partition) => {
    let average: number | null = null;
    return inputs({ operand: input, expressions }, partition).map((value) => {
      if (typeof value === 'number') {
        average = average === null ? value : value * weight + average * (1 - weight);
      }
      return average;
    });
  };
}

function carryForward(call: Call): WindowFunction {
  return (partition) => {
    let last: unknown = null;
    return inputs(call, partition).map((value) => {
      last = isNullish(value) ? last : value;
      return last;
    });
  };
}

/** Curve with the documents' sort values along x and the input values along y. */
interface Curve {
  points: readonly { x: number; y: number }[];
  /** Length of one unit along x. */
  unitLength: number;
}

/** Parses `{input, unit}`. */
function curve(
  operator: string,
  { operand, expressions, fail }: Call,
): (partition: SortedPartition) => Curve {
  const { input, unit } = options({ operand, fail }, ['input', 'unit']);
  if (input === undefined) return fail(`has ${operator}, which needs input`);
  const isUnit = typeof unit === 'string' && Object.hasOwn(LENGTHS, unit);
  if (unit !== undefined && !isUnit) {
    return fail(`has ${operator}, whose unit must be "week" or a shorter unit of time`);
  }
  const unitLength = isUnit ? LENGTHS[unit as keyof typeof LENGTHS] : 1;
  return (partition) => {
    const values = inputs({ operand: input, expressions }, partition);
    const points = partition.sortValues.map((x, index) => {
      const y = values[index];
      if (unit === undefined ? typeof x !== 'number' : !(x instanceof Date)) {
        return fail(
          `has ${operator}, which needs sortBy with dates and a unit, or with numbers and no unit`,
        );
      }
      if (typeof y !== 'number') {
        return fail(`has ${operator}, whose input must be a number in every document`);
      }
      return { x: Number(x), y };
    });
    return { points, unitLength };
  };
}

/** Computes the slope between the first and last documents in the window. */
function derivative(call: Call): WindowFunction {
  const getCurve = curve('$derivative', call);
  return (partition) => {
    const { points, unitLength } = getCurve(partition);
    return Array.from(call.spans(partition), ({ from, to }) => {
      const [first, last] = [points[from], points[to - 1]];
      return from === to || first === undefined || last === undefined || first.x === last.x
        ? null
        : (last.y - first.y) / ((last.x - first.x) / unitLength);
    });
  };
}

/** Computes the area under the line segments that connect the documents in the window. */
function integral(call: Call): WindowFunction {
  const getCurve = curve('$integral', call);
  return (partition) => {
    const { points, unitLength } = getCurve(partition);
    const areas = points.map(({ x, y }, index) => {
      const next = points[index + 1];
      return next === undefined ? 0 : ((y + next.y) / 2) * ((next.x - x) / unitLength);
    });
    const spans = [...call.spans(partition)];
    const between = spans.map(({ from, to }) => ({ from, to: Math.max(from, to - 1) }));
    const sums = slide(areas, between, '$sum');
    return spans.map(({ from, to }, index) => (from === to ? null : sums[index]));
  };
}

/** Scales values from the window's range to the range between two numbers. */
function scale({ operand, spans, expressions, fail }: Call): WindowFunction {
  const { input, min = 0, max = 1 } = options({ operand, fail }, ['input', 'min', 'max']);
  if (input === undefined || typeof min !== 'number' || typeof max !== 'number' || min >= max) {
    return fail('has $minMaxScaler, which needs input, and min less than max');
  }
  return (partition) => {
    const values = inputs({ operand: input, expressions }, partition);
    const windows = [...spans(partition)];
    const [least, greatest] = [slide(values, windows, '$min'), slide(values, windows, '$max')];
    return values.map((value, index) => {
      const range = Number(greatest[index]) - Number(least[index]);
      if (typeof value !== 'number' || Number.isNaN(range)) {
        return fail('has $minMaxScaler, whose input must be a number in every document');
      }
      return range === 0 ? min : min + ((value - Number(least[index])) / range) * (max - min);
    });
  };
}

/** Returns an operator's named arguments. */
function options(
  { operand, fail }: Pick<Call, 'operand' | 'fail'>,
  known: readonly string[],
): Document {
  const unknown = isDocument(operand) && Object.keys(operand).find((key) => !known.includes(key));
  if (!isDocument(operand) || typeof unknown === 'string') {
    return fail(`needs a document with ${known.join(', ')}`);
  }
  return operand;
}
