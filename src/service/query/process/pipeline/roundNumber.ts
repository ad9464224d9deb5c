/** Number of decimal places with which numbers are represented exactly as integers. */
const PLACES = 100;
/** `toFixed` returns an exponent for numbers from here on. All of them are whole. */
const MAX_FIXED = 1e21;

/**
 * Rounds a number to decimal places; to tens, hundreds, and so on if the number of places is
 * negative. Like MongoDB, uses the exact value of the double, and rounds halves to the even digit.
 * @param toNearest false to remove the digits instead
 */
export function roundNumber(value: number, places: number, toNearest: boolean): number {
  if (!Number.isFinite(value) || (places >= 0 && Number.isInteger(value))) return value;
  const size = Math.abs(value);
  const units =
    size < MAX_FIXED
      ? BigInt(size.toFixed(PLACES).replace('.', ''))
      : BigInt(size) * 10n ** BigInt(PLACES);
  const step = 10n ** BigInt(PLACES - places);
  const steps = units / step;
  const excess = 2n * (units % step);
  const isUp = toNearest && (excess > step || (excess === step && steps % 2n === 1n));
  const rounded = Number(`${String(isUp ? steps + 1n : steps)}e${String(-places)}`);
  return value < 0 ? -rounded : rounded;
}
