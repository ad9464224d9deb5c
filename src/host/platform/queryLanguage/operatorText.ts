import { arithmeticText } from './operators/arithmeticText';
import { conditionText } from './operators/conditionText';
import { dateText } from './operators/dateText';
import { groupText } from './operators/groupText';
import { listText } from './operators/listText';
import { textOperatorText } from './operators/textOperatorText';

const TEXTS = [conditionText, groupText, dateText, arithmeticText, textOperatorText, listText];

/** Returns the description of an operator of conditions, groups, or expressions. */
export function operatorText(name: string): string | undefined {
  for (const text of TEXTS) {
    const found = text(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
