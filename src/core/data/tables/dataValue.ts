/** No value from outside has it, so none passes for an exact number. */
const DIGITS = Symbol('digits');

/** A number that no other type holds exactly, such as a decimal of 128 bits. */
export interface ExactNumber {
  readonly [DIGITS]: string;
}

/** Names with values. */
export interface DataObject {
  readonly [key: string]: DataValue;
}

/** A value of a reading or of a query's row: JSON, and what BSON has beside it. */
export type DataValue =
  | string
  | number
  /** A whole number that no double holds. */
  | bigint
  | boolean
  | null
  /** Always a valid time. `PreciseTime` and `CalendarDate` are dates that write themselves exactly. */
  | Date
  | Uint8Array
  | ExactNumber
  | readonly DataValue[]
  | DataObject;

/** Whether a value is names with values, of which there may be none. */
export function isDataObject(value: DataValue | undefined): value is DataObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof Uint8Array) &&
    !isExactNumber(value)
  );
}

/** @param digits as BSON writes them, such as `1.10`, `1E+3` or `NaN` */
export function exactNumber(digits: string): ExactNumber {
  return { [DIGITS]: digits };
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && DIGITS in value;
}

export function digitsOf(value: ExactNumber): string {
  return value[DIGITS];
}

/**
 * A decimal such as `-1.10` or `1.5E+3` times ten to the power of `scale`, which has to make it an integer.
 */
export function toUnscaled(digits: string, scale: number): bigint {
  const [number = '', exponent = '0'] = digits.split('E');
  const [whole = '', fraction = ''] = number.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(scale + Number(exponent) - fraction.length);
}

/** Compares numbers whose nearest doubles are equal and finite. @returns below 0 when the first is less */
export function compareExactly(
  left: ExactNumber | bigint | number,
  right: ExactNumber | bigint | number,
): number {
  const [a, b] = [left, right].map((value) =>
    isExactNumber(value) ? digitsOf(value) : BigInt(value).toString(),
  ) as [string, string];
  const scale = Math.max(scaleOf(a), scaleOf(b));
  const difference = toUnscaled(a, scale) - toUnscaled(b, scale);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function scaleOf(digits: string): number {
  const [number = '', exponent = '0'] = digits.split('E');
  return Math.max(0, (number.split('.')[1] ?? '').length - Number(exponent));
}

/** The double next to an exact number. */
export function nearestNumber(value: ExactNumber): number {
  return Number(value[DIGITS]);
}
