import { type TimeSpan, timeSpan } from './timeSpan';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^[+-]?\d+$/;

/** Entered value, converted to all types that it can be compared with. */
export interface TypedValue {
  readonly text: string;
  /** Value as a number; a bigint for an integer that a double can't represent. */
  readonly number: number | bigint | undefined;
  readonly time: TimeSpan | undefined;
}

export function typedValue(typed: string): TypedValue {
  const text = typed.trim();
  return { text, number: numberIn(text), time: timeSpan(text) };
}

/** Parses a number. Preserves integers exactly and rounds other numbers to the nearest double. */
export function numberIn(text: string): number | bigint | undefined {
  if (!NUMBER.test(text)) return undefined;
  const near = Number(text);
  const isExact = !WHOLE_NUMBER.test(text) || Number.isSafeInteger(near);
  return isExact ? near : BigInt(text.replace('+', ''));
}
