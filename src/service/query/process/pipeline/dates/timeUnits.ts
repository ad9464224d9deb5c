const DAY_MS = 86_400_000;

/** Units of constant length, in milliseconds. */
export const LENGTHS = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
} as const;

/** Calendar units, in months. */
export const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

export type TimeUnit = keyof typeof LENGTHS | keyof typeof MONTHS;

/** Returns true if a value is a time unit, such as `hour`. */
export function isTimeUnit(value: unknown): value is TimeUnit {
  return (
    typeof value === 'string' && (Object.hasOwn(LENGTHS, value) || Object.hasOwn(MONTHS, value))
  );
}

export function isMonths(unit: TimeUnit): unit is keyof typeof MONTHS {
  return unit in MONTHS;
}
