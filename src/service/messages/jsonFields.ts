import type { JsonValue } from '@bufbuild/protobuf';
import { parseGoDuration } from '../goDuration';

/** A text; empty when it is none. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A number; 0 when it is none. */
export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/** A length of time like `1m30s` as protobuf's JSON has it; undefined when it is none. */
export function durationJson(value: JsonValue | undefined): string | undefined {
  const micros = parseGoDuration(textOf(value));
  return micros === undefined ? undefined : `${(micros / 1_000_000).toFixed(6)}s`;
}
