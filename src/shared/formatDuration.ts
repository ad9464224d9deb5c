const MS_PER_SECOND = 1_000;
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
const SECONDS_PER_MINUTE = 60;

/**
 * Formats a duration in its two largest units, such as `1 min 12 sec`.
 * @param locale if undefined, the locale of this computer
 * @param digits number of fraction digits for seconds in durations under one minute
 */
export function formatDuration(
  milliseconds: number,
  locale: string | undefined,
  digits: 0 | 1 = 0,
): string {
  const seconds = Number((milliseconds / MS_PER_SECOND).toFixed(digits));
  if (seconds < SECONDS_PER_MINUTE) return formatUnit(seconds, 'second', locale);
  let rest = Math.round(seconds);
  const largest = UNITS.findIndex(([, ofUnit]) => rest >= ofUnit);
  const parts = UNITS.slice(largest, largest + 2).map(([unit, ofUnit]) => {
    const count = Math.floor(rest / ofUnit);
    rest -= count * ofUnit;
    return count === 0 ? '' : formatUnit(count, unit, locale);
  });
  return parts.filter((part) => part !== '').join(' ');
}

function formatUnit(count: number, unit: string, locale: string | undefined): string {
  return count.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'short' });
}
