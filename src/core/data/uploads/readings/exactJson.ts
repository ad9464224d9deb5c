import type { JsonValue } from '@bufbuild/protobuf';

/** What no double may hold as it is written: many digits, or an exponent of three. */
const SUSPECT = /\d{16}|[eE]\+?\d{3}/;
const WHOLE = /^-?\d+$/;

/** Told by newer engines of JavaScript than its types know. */
type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown;

/**
 * A text as JSON, in which whole numbers that no double holds become texts, so that no digit is lost, and so
 * do numbers beyond all doubles. @throws SyntaxError
 */
export function exactJson(text: string): JsonValue {
  if (!SUSPECT.test(text)) return JSON.parse(text) as JsonValue;
  const reviver: Reviver = (_key, value, context) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && isInexact(value, source)
      ? source
      : value;
  };
  return JSON.parse(text, reviver) as JsonValue;
}

/** Whether a number lacks digits of the text that it was read of, or is none. */
export function isInexact(value: number, source: string): boolean {
  // Also `-0`, which is written as 0.
  if (value === 0) return false;
  return !Number.isFinite(value) || (WHOLE.test(source) && source !== String(value));
}
