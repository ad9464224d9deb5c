import { type JsonValue, parseJsonValue, getSource } from './jsonTree';
import { compactJson } from './jsonText';
import { allMembers, appendMember, removeMember, replaceValue } from './jsonMembers';

/**
 * Applies a JSON merge patch (RFC 7396) to a JSON text: members of the patch replace members with
 * the same key, `null` removes them, objects are merged recursively, and everything else is
 * replaced as a whole. Changes only the affected text, and so preserves the order of keys, the
 * layout, and the digits of numbers. If a key is repeated, the last one counts and the others are
 * removed.
 * @param target strict JSON; an empty text counts as an empty object.
 * @throws SyntaxError if one of the texts isn't strict JSON.
 */
export function applyMergePatch(target: string, patch: string): string {
  const text = target.trim() === '' ? '{}' : target;
  return mergeAt(text, [], parse(patch));
}

function mergeAt(text: string, path: readonly string[], patch: JsonValue): string {
  const target = valueAt(text, path);
  if (patch.node.type !== 'object' || target.node.type !== 'object') {
    const wanted = withoutNulls(patch);
    const isSame = compactJson(getSource(target)) === compactJson(wanted);
    return isSame ? text : replaceValue(target, wanted);
  }
  let merged = text;
  for (const { key, keyText, value } of lastMembers(patch)) {
    merged =
      value.node.type === 'null'
        ? removeKey(merged, path, key)
        : setKey(merged, path, { key, keyText, value });
  }
  return merged;
}

function setKey(
  text: string,
  path: readonly string[],
  { key, keyText, value }: ReturnType<typeof allMembers>[number],
): string {
  const object = valueAt(text, path);
  const found = allMembers(object).filter((member) => member.key === key);
  if (found.length === 0) return appendMember(object, keyText, withoutNulls(value));
  if (found.length > 1) return setKey(removeFirst(text, path, key), path, { key, keyText, value });
  return mergeAt(text, [...path, key], value);
}

function removeKey(text: string, path: readonly string[], key: string): string {
  const isThere = allMembers(valueAt(text, path)).some((member) => member.key === key);
  return isThere ? removeKey(removeFirst(text, path, key), path, key) : text;
}

function removeFirst(text: string, path: readonly string[], key: string): string {
  const object = valueAt(text, path);
  return removeMember(
    object,
    allMembers(object).findIndex((member) => member.key === key),
  );
}

/**
 * Returns the result of applying a patch to an absent value: the patch itself without its `null`
 * members.
 */
function withoutNulls(patch: JsonValue): string {
  const source = getSource(patch);
  if (patch.node.type !== 'object') return source;
  let text = source;
  for (const { key, value } of lastMembers(parse(source))) {
    if (value.node.type === 'null') text = removeKey(text, [], key);
    else if (value.node.type === 'object') {
      const cleaned = withoutNulls(value);
      if (cleaned !== getSource(value)) text = replaceValue(valueAt(text, [key]), cleaned);
    }
  }
  return text;
}

/** Returns the members of an object. If a key is repeated, returns only the last member. */
function lastMembers(object: JsonValue): Iterable<ReturnType<typeof allMembers>[number]> {
  return new Map(allMembers(object).map((member) => [member.key, member])).values();
}

function valueAt(text: string, path: readonly string[]): JsonValue {
  let value = parse(text);
  for (const key of path) {
    const member = allMembers(value).findLast((one) => one.key === key);
    if (!member) throw new SyntaxError(`${key} doesn't exist.`);
    value = member.value;
  }
  return value;
}

function parse(text: string): JsonValue {
  const value = parseJsonValue(text);
  if (!value) throw new SyntaxError('This is not valid JSON.');
  return value;
}
