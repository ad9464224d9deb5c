import type { JsonValue } from '@bufbuild/protobuf';

/** Pattern of numbers that a double might not represent: many digits, or a three-digit exponent. */
const SUSPECT = /\d{16}|[eE]\+?\d{3}/;
const WHOLE = /^-?\d+$/;

/** Argument of newer JavaScript engines that TypeScript doesn't declare yet. */
type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown;

/**
 * Parses JSON and converts integers that a double can't represent, and numbers beyond the range of
 * doubles, to texts, so that no digits are lost. @throws SyntaxError
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

/** Returns true if an integer has lost digits of its source text, or if a number isn't finite. */
export function isInexact(value: number, source: string): boolean {
  // This condition also applies to `-0`, which is written as 0.
  if (value === 0) return false;
  return !Number.isFinite(value) || (WHOLE.test(source) && source !== String(value));
}
