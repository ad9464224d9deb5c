/** A day, and the time of day after it, as people write them who mean a time; not `4711-99-1234`. */
const TIME = /^(\d{4}-\d\d-\d\d)(?![\d-])(?:[T ](\d\d:\d\d(?::\d\d)?))?/i;

/** Whether a text is written as a time that no calendar or clock has, such as 30 February. */
export function isImpossibleTime(text: string): boolean {
  const [, day, clock = '00:00'] = TIME.exec(text.trim()) ?? [];
  if (day === undefined) return false;
  const written = `${day}T${clock.padEnd(8, ':00')}.000Z`;
  const time = new Date(written);
  // Browsers read 30 February as a day in March.
  return Number.isNaN(time.getTime()) || time.toISOString() !== written;
}
