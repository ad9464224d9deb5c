import type { StagePath } from './stage';

/**
 * Returns the path of the operator that a message reports as unknown. Returns an empty path unless
 * exactly one operator has that name.
 */
export function findOperatorPath(message: string, spec: unknown): StagePath {
  const [, name] = /unknown (?:query|top level) operator:? (\$\w+)/u.exec(message) ?? [];
  const [path, ...others] = name === undefined ? [] : [...pathsEndingWith(name, spec)];
  return path !== undefined && others.length === 0 ? path : [];
}

function* pathsEndingWith(
  name: string,
  within: unknown,
  path: StagePath = [],
): Generator<StagePath> {
  if (typeof within !== 'object' || within === null) {
    return;
  }
  for (const [key, value] of Object.entries(within)) {
    const inner = [...path, key];
    if (key === name) {
      yield inner;
    }
    yield* pathsEndingWith(name, value, inner);
  }
}

/**
 * Returns the path of a document or list within another document or list; undefined if it isn't
 * contained there.
 */
export function pathTo(sought: unknown, within: unknown): StagePath | undefined {
  if (sought === within) {
    return [];
  }
  if (typeof within !== 'object' || within === null) {
    return undefined;
  }
  for (const [name, value] of Object.entries(within)) {
    const path = typeof value === 'object' ? pathTo(sought, value) : undefined;
    if (path !== undefined) {
      return [name, ...path];
    }
  }
  return undefined;
}
