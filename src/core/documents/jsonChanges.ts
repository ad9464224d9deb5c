import {
  getElements,
  identifiedElements,
  type JsonValue,
  getMembers,
  parseJsonValue,
  sameValue,
  getSource,
} from './jsonTree';

/** Difference between two JSON texts. */
export interface JsonChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** Path from the root of the document: keys, and names of list elements. */
  readonly path: readonly string[];
  /** Values before and after the change, as written; undefined where the value is absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Returns the structural differences between two JSON texts, in the order of the second text. For
 * example, an added component is one change, not one for each member. Ignores white space.
 * @returns undefined if one of the texts isn't strict JSON.
 */
export function findJsonChanges(before: string, after: string): readonly JsonChange[] | undefined {
  const [left, right] = [parseJsonValue(before), parseJsonValue(after)];
  return left && right && [...changes(left, right, [])];
}

function* changes(
  before: JsonValue,
  after: JsonValue,
  path: readonly string[],
): Generator<JsonChange> {
  if (sameValue(before, after)) return;
  const [left, right] = [namedParts(before), namedParts(after)];
  if (!right || left?.kind !== right.kind) {
    yield { kind: 'changed', path, before: getSource(before), after: getSource(after) };
    return;
  }
  for (const [key, value] of right.parts) {
    const inner = [...path, key];
    const old = left.parts.get(key);
    if (old) yield* changes(old, value, inner);
    else yield { kind: 'added', path: inner, before: undefined, after: getSource(value) };
  }
  for (const [key, value] of left.parts) {
    if (right.parts.has(key)) continue;
    yield { kind: 'removed', path: [...path, key], before: getSource(value), after: undefined };
  }
}

interface NamedParts {
  readonly kind: 'object' | 'list';
  readonly parts: ReadonlyMap<string, JsonValue>;
}

function namedParts(value: JsonValue): NamedParts | undefined {
  const members = getMembers(value);
  if (members) {
    const parts = new Map(members.map(({ key, value: inner }) => [key, inner]));
    return { kind: 'object', parts };
  }
  const elements = getElements(value);
  const identified = elements && identifiedElements(elements);
  return identified && { kind: 'list', parts: identified };
}
