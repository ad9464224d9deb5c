/**
 * Returns the start of a month in UTC, in milliseconds. Months outside 0 to 11 roll over into other
 * years.
 */
export function utc(year: number, month: number): number {
  // Unlike Date.UTC, this doesn't map years below 100 to the 20th century.
  return new Date(0).setUTCFullYear(year, month, 1);
}
