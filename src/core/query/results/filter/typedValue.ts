import { type TimeSpan, timeSpan } from './timeSpan';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^[+-]?\d+$/;

/** Entered value in all types that it can be compared as. */
export interface TypedValue {
  readonly text: string;
  /** A bigint for an integer that a double can't represent. */
  readonly number: number | bigint | undefined;
  readonly time: TimeSpan | undefined;
}

export function typedValue(typed: string): TypedValue {
  const text = typed.trim();
  return { text, number: numberIn(text), time: timeSpan(text) };
}

/** Parses a number: integers exactly, others as the nearest double. */
export function numberIn(text: string): number | bigint | undefined {
  if (!NUMBER.test(text)) return undefined;
  const near = Number(text);
  const isExact = !WHOLE_NUMBER.test(text) || Number.isSafeInteger(near);
  return isExact ? near : BigInt(text.replace('+', ''));
}
