import { isRecord } from '../base/isRecord';

/** Checks at run time that a value received over a message channel is a `T`. */
export type Guard<T> = (value: unknown) => value is T;

/** Type of value that a guard accepts, so that each message is declared only once. */
export type Guarded<G> = G extends Guard<infer T> ? T : never;

export const isString: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value): value is number => Number.isFinite(value);
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';
export const isUndefined: Guard<undefined> = (value): value is undefined => value === undefined;

export function isOptional<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || guard(value);
}

export function isListOf<T>(guard: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(guard);
}

export function isOneOf<const T extends string>(...values: readonly T[]): Guard<T> {
  return (value): value is T => values.some((allowed) => allowed === value);
}

type Members = Readonly<Record<string, Guard<unknown>>>;

/** Keys of the members that can be absent. */
type OptionalKeys<M extends Members> = {
  [K in keyof M]: undefined extends Guarded<M[K]> ? K : never;
}[keyof M];

/** Flattens an intersection, for readable compiler messages. */
type Flat<T> = { [K in keyof T]: T[K] };

/** Object type of a shape. */
type Shape<M extends Members> = {
  readonly [K in keyof M as Exclude<K, OptionalKeys<M>>]: Guarded<M[K]>;
} & {
  readonly [K in keyof M as Extract<K, OptionalKeys<M>>]?: Guarded<M[K]>;
};

/**
 * Returns a guard for objects whose listed members are all accepted by their guards. Ignores other
 * members. A member that can be undefined can also be absent.
 */
export function isShape<const M extends Members>(members: M): Guard<Flat<Shape<M>>>;
/** Returns a guard for a type that is declared separately. */
export function isShape<T extends object>(members: { [K in keyof T]-?: Guard<T[K]> }): Guard<T>;
export function isShape(members: Members): Guard<object> {
  const checks = Object.entries(members);
  return (value): value is object =>
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
