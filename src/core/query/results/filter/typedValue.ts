const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^[+-]?\d+$/;
/** ISO 8601 from the year on, with a space or a `T` before the time of day. */
const TIME =
  /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** What a person typed, as all that it can be compared as. */
export interface TypedValue {
  readonly text: string;
  /** Exact, where it is a whole number that no double holds. */
  readonly number: number | bigint | undefined;
  /** Milliseconds since 1970. What is left out of a time is 0, and it is in UTC unless it says otherwise. */
  readonly time: number | undefined;
}

export function typedValue(typed: string): TypedValue {
  const text = typed.trim();
  return { text, number: numberIn(text), time: timeIn(text) };
}

/** The number that a text is: exact where it is whole, and else the nearest double. */
export function numberIn(text: string): number | bigint | undefined {
  if (!NUMBER.test(text)) return undefined;
  const near = Number(text);
  const isExact = !WHOLE_NUMBER.test(text) || Number.isSafeInteger(near);
  return isExact ? near : BigInt(text.replace('+', ''));
}

function timeIn(text: string): number | undefined {
  const [, day, clock, zone = 'Z'] = TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const time = Date.parse(clock === undefined ? day : `${day}T${clock}${zone.toUpperCase()}`);
  return Number.isNaN(time) ? undefined : time;
}
