import { FleetError } from '../../api/errors';
import { appendElement, appendMember, memberValue } from '../../documents/jsonMembers';
import { getElements, type JsonValue, parseJsonValue } from '../../documents/jsonTree';

/**
 * Returns the elements of a list of a config; empty if it has no such list. @throws FleetError
 * `invalid`.
 */
export function getConfigList(configText: string, section: string): readonly JsonValue[] {
  const value = memberValue(parseConfigRoot(configText), section);
  if (!value) return [];
  const elements = getElements(value);
  if (!elements) throw invalid(`The config has no list at "${section}".`);
  return elements;
}

/**
 * Returns the text of a config with an element appended to a list, which is created if it doesn't
 * exist.
 * @throws FleetError `invalid` if the config has another value there.
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

/** Returns a text member of an element; empty if it has none. */
export function textMember(element: JsonValue, key: string): string {
  const value: unknown = memberValue(element, key)?.node.value;
  return typeof value === 'string' ? value : '';
}

/** Returns the name, with a number appended if it is taken. */
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
