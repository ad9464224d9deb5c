/**
 * Returns a language tag that this browser supports; undefined for the browser's own language. VS
 * Code language packs can use nonstandard tags.
 */
export function localeTag(locale: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}

export type FormatTime = (milliseconds: number) => string;

/** Formats timestamps to the millisecond, in this computer's time zone or in UTC. */
export function exactTime(locale: string, utc: boolean): FormatTime {
  const format = new Intl.DateTimeFormat(localeTag(locale), {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    fractionalSecondDigits: 3,
    ...(utc && { timeZone: 'UTC', timeZoneName: 'short' }),
  });
  return (milliseconds) => format.format(milliseconds);
}
