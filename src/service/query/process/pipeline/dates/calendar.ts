/** The first moment of a month in UTC, in milliseconds. Months outside 0 to 11 count on. */
export function utc(year: number, month: number): number {
  // Unlike Date.UTC this does not take years below 100 for those of the 20th century.
  return new Date(0).setUTCFullYear(year, month, 1);
}
