/** A date, optionally followed by a time of day, in ISO notation; doesn't match `4711-99-1234`. */
const TIME = /^(\d{4}-\d\d-\d\d)(?![\d-])(?:[T ](\d\d:\d\d(?::\d\d)?))?/i;

/** Returns true if the text looks like a date or time that doesn't exist, such as February 30. */
export function isImpossibleTime(text: string): boolean {
  const [, day, clock = '00:00'] = TIME.exec(text.trim()) ?? [];
  if (day === undefined) return false;
  const written = `${day}T${clock.padEnd(8, ':00')}.000Z`;
  const time = new Date(written);
  // Browsers parse February 30 as a date in March.
  return Number.isNaN(time.getTime()) || time.toISOString() !== written;
}
