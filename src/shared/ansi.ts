import type { AnsiSpan } from '../base/ansiText';
import { type Guard, isBoolean, isNumber, isOptional, isShape } from './guards';

export type { AnsiSpan };

export const isAnsiSpan: Guard<AnsiSpan> = isShape<AnsiSpan>({
  ...{ start: isNumber, end: isNumber },
  ...{ color: isOptional(isNumber), background: isOptional(isNumber) },
  ...{ bold: isOptional(isBoolean), dim: isOptional(isBoolean) },
  ...{ italic: isOptional(isBoolean), underline: isOptional(isBoolean) },
});
