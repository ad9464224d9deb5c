const SECOND = 1_000;
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number])[] = [
  ['year', 365 * 24 * 3_600 * SECOND],
  ['month', 30 * 24 * 3_600 * SECOND],
  ['day', 24 * 3_600 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
];

/** Formats the time since an event for a locale, such as "3 hours ago". */
export function relativeTime(time: Date, now: Date, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const elapsed = now.getTime() - time.getTime();
  for (const [unit, milliseconds] of UNITS) {
    if (elapsed >= milliseconds) return format.format(-Math.floor(elapsed / milliseconds), unit);
  }
  return format.format(0, 'minute');
}
