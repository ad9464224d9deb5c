import { floorDivide } from '../../../base/floorDivide';

/**
 * Marks exact numbers. External values don't have this symbol, so they can't be mistaken for exact
 * numbers.
 */
const DIGITS = Symbol('digits');

/** Number that no other type represents exactly, such as a 128-bit decimal. */
export interface ExactNumber {
  readonly [DIGITS]: string;
}

/** Object with named values. */
export interface DataObject {
  readonly [key: string]: DataValue;
}

/** Value in a reading or in a row of a query result: JSON, and the additional types of BSON. */
export type DataValue =
  | string
  | number
  /** Integer that a double can't represent exactly. */
  | bigint
  | boolean
  | null
  /** Valid time. `PreciseTime` and `CalendarDate` are subclasses with their own exact formats. */
  | Date
  | Uint8Array
  | ExactNumber
  | readonly DataValue[]
  | DataObject;

/** Returns true if a value is an object, including an empty object. */
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

/** @param digits in the format of BSON, such as `1.10`, `1E+3` or `NaN` */
export function exactNumber(digits: string): ExactNumber {
  return { [DIGITS]: digits };
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && DIGITS in value;
}

export function getDigits(value: ExactNumber): string {
  return value[DIGITS];
}

/**
 * Multiplies a decimal such as `-1.10` or `1.5E+3` by ten to the power of `scale`; the result must
 * be an integer.
 */
export function toUnscaled(digits: string, scale: number): bigint {
  const [number = '', exponent = '0'] = digits.split('E');
  const [whole = '', fraction = ''] = number.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(scale + Number(exponent) - fraction.length);
}

/**
 * Compares numbers whose nearest doubles are equal and finite. @returns a negative number if the
 * first number is less than the second
 */
export function compareExactly(
  left: ExactNumber | bigint | number,
  right: ExactNumber | bigint | number,
): number {
  const [a, b] = [left, right].map((value) =>
    isExactNumber(value) ? getDigits(value) : BigInt(value).toString(),
  ) as [string, string];
  const scale = Math.max(getScale(a), getScale(b));
  const difference = toUnscaled(a, scale) - toUnscaled(b, scale);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function getScale(digits: string): number {
  const [number = '', exponent = '0'] = digits.split('E');
  return Math.max(0, (number.split('.')[1] ?? '').length - Number(exponent));
}

/** Returns the double nearest to an exact number. */
export function nearestNumber(value: ExactNumber): number {
  return Number(value[DIGITS]);
}

const NANOS_PER_MS = 1_000_000n;
const NANOS_PER_MICRO = 1_000n;
const MS_PER_DAY = 86_400_000;

/** Time with higher precision than a `Date`. Also contains the digits after the milliseconds. */
export class PreciseTime extends Date {
  private constructor(readonly nanoseconds: bigint) {
    super(Number(floorDivide(nanoseconds, NANOS_PER_MS)));
  }

  static fromMicros(micros: bigint): PreciseTime {
    return new PreciseTime(micros * NANOS_PER_MICRO);
  }

  static fromNanos(nanos: bigint): PreciseTime {
    return new PreciseTime(nanos);
  }

  override toISOString(): string {
    const rest = this.nanoseconds - floorDivide(this.nanoseconds, NANOS_PER_MS) * NANOS_PER_MS;
    const digits = String(rest).padStart(6, '0').replace(/000$/, '');
    return super.toISOString().replace('Z', `${digits}Z`);
  }
}

/** Calendar day without a time. As a `Date`, it represents midnight UTC at the start of the day. */
export class CalendarDate extends Date {
  /** @param days since the Unix epoch */
  constructor(readonly days: number) {
    super(days * MS_PER_DAY);
  }

  override toISOString(): string {
    return super.toISOString().replace(/T.*$/, '');
  }
}

/**
 * Returns the milliseconds since the Unix epoch, with microseconds as a fraction. The result is the
 * same for all times within one microsecond.
 */
export function toPreciseMilliseconds(time: Date): number {
  return time instanceof PreciseTime
    ? Number(floorDivide(time.nanoseconds, NANOS_PER_MICRO)) / 1_000
    : time.getTime();
}

/** Returns the microseconds since the Unix epoch; undefined for a time with higher precision. */
export function toWholeMicros(time: Date): bigint | undefined {
  if (!(time instanceof PreciseTime)) return BigInt(time.getTime()) * NANOS_PER_MICRO;
  const { nanoseconds } = time;
  return nanoseconds % NANOS_PER_MICRO === 0n ? nanoseconds / NANOS_PER_MICRO : undefined;
}
