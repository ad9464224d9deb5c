import { FleetError } from '../../api/errors';
import { appendElement, appendMember, memberValue } from '../../documents/jsonMembers';
import { getElements, type JsonValue, parseJsonValue } from '../../documents/jsonTree';

/**
 * Returns the elements of a list in a config; empty if the config doesn't have this list. @throws
 * FleetError `invalid` if the value isn't a list.
 */
export function getConfigList(configText: string, section: string): readonly JsonValue[] {
  const value = memberValue(parseConfigRoot(configText), section);
  if (!value) return [];
  const elements = getElements(value);
  if (!elements) throw invalid(`The config has no list at "${section}".`);
  return elements;
}

/**
 * Appends an element to a list in a config. Creates the list if it doesn't exist.
 * @throws FleetError `invalid` if the config's value for the list isn't a list.
 */
export function withElement(configText: string, section: string, element: object): string {
  const text = configText.trim() === '' ? '{}' : configText;
  const source = JSON.stringify(element, undefined, 2);
  const root = parseConfigRoot(text);
  const list = memberValue(root, section);
  if (!list) {
    return appendMember(root, JSON.stringify(section), appendElement(emptyList(), source));
  }
  if (!getElements(list)) throw invalid(`The config has no list at "${section}".`);
  return appendElement(list, source);
}

/** Returns a text member of an element; empty if the element doesn't have it. */
export function textMember(element: JsonValue, key: string): string {
  const value: unknown = memberValue(element, key)?.node.value;
  return typeof value === 'string' ? value : '';
}

/** Returns the name, followed by a number if the name is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  }
}

function parseConfigRoot(configText: string): JsonValue {
  const root = parseJsonValue(configText.trim() === '' ? '{}' : configText);
  if (root?.node.type !== 'object') throw invalid('The config is not a JSON object.');
  return root;
}

function emptyList(): JsonValue {
  const list = parseJsonValue('[]');
  if (!list) throw invalid('This is not valid JSON.');
  return list;
}

function invalid(message: string): FleetError {
  return new FleetError('invalid', message);
}
