import { describeArithmeticOperator } from './operators/describeArithmeticOperator';
import { describeConditionOperator } from './operators/describeConditionOperator';
import { describeDateOperator } from './operators/describeDateOperator';
import { describeGroupOperator } from './operators/describeGroupOperator';
import { describeListOperator } from './operators/describeListOperator';
import { describeTextOperator } from './operators/describeTextOperator';

const TEXTS = [
  describeConditionOperator,
  describeGroupOperator,
  describeDateOperator,
  describeArithmeticOperator,
  describeTextOperator,
  describeListOperator,
];

/** Returns the description of an operator of conditions, groups, or expressions. */
export function describeOperator(name: string): string | undefined {
  for (const text of TEXTS) {
    const found = text(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
