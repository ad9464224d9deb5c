import { FleetError } from '../api/errors';
import { getElements, type JsonValue, parseJsonValue, getSource } from './jsonTree';
import { appendElement, appendMember, memberValue, replaceValue } from './jsonMembers';
import { applyMergePatch } from './mergePatch';

const FRAGMENTS = 'fragments';

/** Use of a fragment in a config. */
export interface FragmentUse {
  readonly id: string;
  /**
   * Prefix for the fragment's names, so that the fragment can be used more than once; can be empty.
   */
  readonly prefix: string;
  /** Values of the fragment's variables as the JSON text of an object; can be empty. */
  readonly variables: string;
}

/**
 * Adds a fragment to the list of fragments in a config. If the fragment already occurs with the
 * same prefix, sets its variables and keeps its other settings. Changes only the affected text.
 * @throws FleetError `invalid` if the config's `fragments` is not a list.
 */
export function addFragment(configText: string, use: FragmentUse): string {
  const text = configText.trim() === '' ? '{}' : configText;
  const root = parseJsonValue(text);
  if (root?.node.type !== 'object') throw invalid('The config is not a JSON object.');
  const list = memberValue(root, FRAGMENTS);
  if (!list) {
    const lone = appendElement(parsed('[]'), formatFragmentUse(use, false));
    return appendMember(root, JSON.stringify(FRAGMENTS), lone);
  }
  const elements = getElements(list);
  if (!elements) throw invalid('The config has no list at "fragments".');
  const found = elements.find((element) => isUse(element, use));
  if (!found)
    return appendElement(list, formatFragmentUse(use, elements.at(-1)?.node.type === 'string'));
  if (use.variables === '') return text;
  const before = found.node.type === 'string' ? formatFragmentUse(use, false) : getSource(found);
  const after = applyMergePatch(before, `{"variables": ${use.variables}}`);
  return after === getSource(found) ? text : replaceValue(found, after);
}

function isUse(element: JsonValue, { id, prefix }: FragmentUse): boolean {
  if (element.node.type === 'string') return element.node.value === id && prefix === '';
  if (element.node.type !== 'object') return false;
  const valueOf = (key: string): unknown => memberValue(element, key)?.node.value;
  return valueOf('id') === id && (valueOf('prefix') ?? '') === prefix;
}

/** Formats a use for a config: only the ID if that is sufficient and the list has that form. */
function formatFragmentUse({ id, prefix, variables }: FragmentUse, idAlone: boolean): string {
  if (idAlone && prefix === '' && variables === '') return JSON.stringify(id);
  const plain = JSON.stringify({ id, ...(prefix !== '' && { prefix }) }, undefined, 2);
  return variables === '' ? plain : applyMergePatch(plain, `{"variables": ${variables}}`);
}

function parsed(text: string): JsonValue {
  const value = parseJsonValue(text);
  if (!value) throw invalid('This is not valid JSON.');
  return value;
}

function invalid(message: string): FleetError {
  return new FleetError('invalid', message);
}
