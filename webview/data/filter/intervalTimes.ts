const MINUTE = 60_000;

/**
 * Formats a timestamp for a date and time input.
 * @param at milliseconds since 1970
 */
export function toInput(at: number, utc: boolean): string {
  const shift = utc ? 0 : new Date(at).getTimezoneOffset() * MINUTE;
  return new Date(at - shift).toISOString().slice(0, 19);
}

/** Parses the value of a date and time input; undefined if it is empty. */
export function fromInput(text: string, utc: boolean): number | undefined {
  const at = new Date(utc ? `${text}Z` : text).getTime();
  return Number.isFinite(at) ? at : undefined;
}

/** Formats a timestamp for display. */
export function formatTime(at: number, locale: string | undefined, utc: boolean): string {
  const zone = utc ? ({ timeZone: 'UTC', timeZoneName: 'short' } as const) : {};
  return new Date(at).toLocaleString(locale, {
    ...{ year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...zone,
  });
}
