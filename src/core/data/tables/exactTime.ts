const NANOS_PER_MS = 1_000_000n;
const NANOS_PER_MICRO = 1_000n;
const MS_PER_DAY = 86_400_000;

/**
 * Time with higher precision than a `Date`, which also contains the digits after the milliseconds.
 */
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

/** Day without a time. As a `Date`, represents midnight UTC at the start of the day. */
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

function floorDivide(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}
