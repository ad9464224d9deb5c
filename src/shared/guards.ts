/** Checks at run time that a value received over a message channel is a `T`. */
export type Guard<T> = (value: unknown) => value is T;

export const isString: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value): value is number => Number.isFinite(value);
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';
export const isUndefined: Guard<undefined> = (value): value is undefined => value === undefined;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isOptional<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || guard(value);
}

export function isListOf<T>(guard: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(guard);
}

export function isOneOf<const T extends string>(...values: readonly T[]): Guard<T> {
  return (value): value is T => values.some((allowed) => allowed === value);
}

/**
 * Returns a guard for objects whose listed members are all accepted by their guards. Ignores other
 * members.
 */
export function isShape<T extends object>(members: { [K in keyof T]-?: Guard<T[K]> }): Guard<T> {
  const checks = Object.entries<Guard<unknown>>(members);
  return (value): value is T =>
    isRecord(value) && checks.every(([key, guard]) => guard(value[key]));
}

/** Parses JSON text. Returns undefined if the text is invalid or its value is not a `T`. */
export function parsedAs<T>(text: string, guard: Guard<T>): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return guard(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Accepts bytes, which messages transfer unchanged. */
export const isBytes: Guard<ArrayBuffer> = (value) => value instanceof ArrayBuffer;
