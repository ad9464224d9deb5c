import { toGroupKey } from './compareValues';
import { isNullish } from './document';
import { evaluateList, type ExpressionOperators, type Operator } from './operands';

/**
 * Operators on sets. Unlike mingo's implementations, they compare documents including the order of
 * their fields, and never return duplicates.
 */
export const setOperators: Readonly<ExpressionOperators> = {
  $setUnion: (...operands) => {
    const lists = evaluateArrays('$setUnion', operands, [0, Infinity]);
    return lists && [...toSet(lists.flat()).values()];
  },
  $setIntersection: (...operands) => {
    const lists = evaluateArrays('$setIntersection', operands, [0, Infinity]);
    if (lists === null) return null;
    const [first = [], ...others] = lists;
    const sets = others.map(toSet);
    return [...toSet(first)].flatMap(([key, value]) =>
      sets.every((set) => set.has(key)) ? [value] : [],
    );
  },
  $setDifference: (...operands) => {
    const lists = evaluateArrays('$setDifference', operands, [2, 2]);
    if (lists === null) return null;
    const [from = [], removed = []] = lists;
    const excluded = toSet(removed);
    return [...toSet(from)].flatMap(([key, value]) => (excluded.has(key) ? [] : [value]));
  },
  $setEquals: (...operands) => {
    const [first = new Map<string, unknown>(), ...others] = evaluateSets('$setEquals', operands, [
      2,
      Infinity,
    ]);
    return others.every((set) => set.size === first.size && isSubset(set, first));
  },
  $setIsSubset: (...operands) => {
    const [inner, outer] = evaluateSets('$setIsSubset', operands, [2, 2]);
    return inner !== undefined && outer !== undefined && isSubset(inner, outer);
  },
};

type ValueSet = ReadonlyMap<string, unknown>;

function toSet(values: readonly unknown[]): ValueSet {
  const set = new Map<string, unknown>();
  for (const value of values) {
    const key = toGroupKey(value);
    if (!set.has(key)) set.set(key, value);
  }
  return set;
}

function isSubset(inner: ValueSet, outer: ValueSet): boolean {
  return [...inner.keys()].every((key) => outer.has(key));
}

/** Returns null if an operand is null or missing. */
function evaluateArrays(
  name: string,
  operands: Parameters<Operator>,
  counts: readonly [min: number, max: number],
): unknown[][] | null {
  const values = evaluateList(name, operands, counts);
  return values.some(isNullish) ? null : values.map((value) => requireArray(name, value));
}

function evaluateSets(
  name: string,
  operands: Parameters<Operator>,
  counts: readonly [min: number, max: number],
): ValueSet[] {
  return evaluateList(name, operands, counts).map((value) => toSet(requireArray(name, value)));
}

/** @throws TypeError for a value that isn't an array. */
export function requireArray(name: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${name} needs an array`);
  return value;
}
