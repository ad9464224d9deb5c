import type { JsonValue } from '@bufbuild/protobuf';

/** Returns a string; empty if the value isn't a string. */
export function getString(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a number; 0 if the value isn't a number. */
export function getNumber(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/**
 * Converts a duration such as `1m30s` to Protobuf's JSON representation; undefined if the duration
 * is invalid.
 */
export function durationJson(value: JsonValue | undefined): string | undefined {
  const micros = parseGoDuration(getString(value));
  return micros === undefined ? undefined : `${(micros / 1_000_000).toFixed(6)}s`;
}

/** Duration in Go's format, such as `1h30m`, `10m`, or `0.5s`. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
const MICROS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 0.001,
  us: 1,
  µs: 1,
  ms: 1000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
};

/** Maximum duration, about seventy years. Longer durations are clamped to this value. */
const MAX_MICROS = Number.MAX_SAFE_INTEGER / 4;

/**
 * Parses a duration such as `1h30m` to integer microseconds; undefined if the text is not a valid
 * duration.
 */
export function parseGoDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const micros = [...text.matchAll(PART)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (MICROS_PER_UNIT[unit] ?? 0),
    0,
  );
  return Math.min(Math.round(micros), MAX_MICROS);
}
