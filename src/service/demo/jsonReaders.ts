import { isJsonObject } from '../../core/model/isJsonObject';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { nearestName } from '../../base/nearestName';

/**
 * Returns a value from a JSON file with its type.
 * @param key path of the value in its file, such as `edits[0].daysAgo`.
 * @throws KeyError if the value has an unexpected type.
 */
export type Reader<T> = (value: JsonValue | undefined, key: string) => T;

/** Type of value that a reader returns. */
export type Read<R> = R extends Reader<infer T> ? T : never;

/** Problem with a key's value in a JSON file. */
export class KeyError extends Error {
  override readonly name = 'KeyError';

  constructor(key: string, problem: string) {
    super(`${key === '' ? 'the file' : key} ${problem}`);
  }
}

/** Returns the path of a key in an object. */
export function joinKey(parent: string, name: string): string {
  const step = /^[\w$-]+$/.test(name) ? name : `["${name}"]`;
  return parent === '' || step.startsWith('[') ? parent + step : `${parent}.${step}`;
}

/** Accepts any text that is not empty. */
export const text: Reader<string> = (value, key) => {
  if (typeof value !== 'string' || value === '') throw expected(value, key, 'text');
  return value;
};

/** Accepts any text. */
export const anyText: Reader<string> = (value, key) => (value === '' ? value : text(value, key));

export const boolean: Reader<boolean> = (value, key) => {
  if (typeof value !== 'boolean') throw expected(value, key, 'true or false');
  return value;
};

export const number: Reader<number> = (value, key) => {
  if (typeof value !== 'number') throw expected(value, key, 'a number');
  return value;
};

/** Accepts whole numbers from 1. */
export const count: Reader<number> = (value, key) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw expected(value, key, 'a whole number from 1');
  }
  return value;
};

/** Accepts any JSON object. */
export const jsonObject: Reader<JsonObject> = (value, key) => {
  if (!isJsonObject(value)) throw expected(value, key, 'an object');
  return value;
};

/** Accepts any JSON value. */
export const anyValue: Reader<JsonValue> = (value, key) => {
  if (value === undefined) throw expected(value, key, 'a value');
  return value;
};

/** Accepts the given texts. */
export function oneOf<const T extends string>(choices: readonly T[]): Reader<T> {
  return (value, key) => {
    const choice = choices.find((one) => one === value);
    if (choice !== undefined) return choice;
    if (typeof value !== 'string') throw expected(value, key, 'text');
    const nearest = nearestName(value, choices);
    const advice =
      nearest === undefined ? `use one of: ${choices.join(', ')}` : `did you mean "${nearest}"?`;
    throw new KeyError(key, `has the unknown value "${value}"; ${advice}`);
  };
}

/** Accepts a missing value, for which it returns the fallback. */
export function optional<T>(read: Reader<T>): Reader<T | undefined>;
export function optional<T>(read: Reader<T>, fallback: T): Reader<T>;
export function optional<T>(read: Reader<T>, fallback?: T): Reader<T | undefined> {
  return (value, key) => (value === undefined ? fallback : read(value, key));
}

export function list<T>(read: Reader<T>): Reader<T[]> {
  return (value, key) => {
    if (!Array.isArray(value)) throw expected(value, key, 'a list');
    return value.map((element, index) => read(element, `${key}[${String(index)}]`));
  };
}

/** Accepts objects with any keys, whose values are all read the same way. */
export function record<T>(read: Reader<T>): Reader<Record<string, T>> {
  return (value, key) =>
    Object.fromEntries(
      Object.entries(jsonObject(value, key)).map(([name, entry]) => [
        name,
        read(entry, joinKey(key, name)),
      ]),
    );
}

/** Accepts objects with exactly the given keys. */
export function object<Readers extends Record<string, Reader<unknown>>>(
  readers: Readers,
): Reader<{ [Name in keyof Readers]: Read<Readers[Name]> }> {
  const names = Object.keys(readers);
  return (value, key) => {
    const entries = jsonObject(value, key);
    const unknown = Object.keys(entries).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      const nearest = nearestName(unknown, names);
      const advice =
        nearest === undefined ? `the keys are: ${names.join(', ')}` : `did you mean "${nearest}"?`;
      throw new KeyError(joinKey(key, unknown), `is unknown; ${advice}`);
    }
    return Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [
        name,
        read(entries[name], joinKey(key, name)),
      ]),
    ) as { [Name in keyof Readers]: Read<Readers[Name]> };
  };
}

function expected(value: JsonValue | undefined, key: string, what: string): KeyError {
  return new KeyError(key, value === undefined ? 'is missing' : `must be ${what}`);
}
