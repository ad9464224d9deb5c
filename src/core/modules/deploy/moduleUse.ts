import { FleetError } from '../../api/errors';
import {
  appendElement,
  appendMember,
  memberValue,
  replaceValue,
} from '../../documents/jsonMembers';
import { elementsOf, type JsonValue, parseJsonValue } from '../../documents/jsonTree';
import { movedPin } from '../../model/versionPin';

const MODULES = 'modules';

/** A module that a config is to run, and in which version. */
export interface ModuleDeployment {
  /** The ids by which configs may name it; a new entry is written with the first one. */
  readonly ids: readonly [string, ...string[]];
  /** A version, or how it is chosen, such as `latest`. */
  readonly version: string;
  /** All versions that the module has. */
  readonly versions: readonly string[];
}

/** How a config uses a module. */
export interface ModuleUse {
  /** What the config calls it; empty when it does not say. */
  readonly name: string;
  /** As it is written, such as `1.0.0` or `latest`; empty when the config leaves it open. */
  readonly version: string;
}

/** How a config text uses a module of the registry; none when it is not JSON. */
export function moduleUses(configText: string, ids: readonly string[]): readonly ModuleUse[] {
  const root = parseJsonValue(configText);
  const list = root && memberValue(root, MODULES);
  return ((list && elementsOf(list)) ?? [])
    .filter((element) => isUse(element, ids))
    .map((element) => ({ name: textOf(element, 'name'), version: textOf(element, 'version') }));
}

/**
 * The text of a config that runs a module in the wanted version: with an entry added, or with the
 * version changed where the module is there already. How the version is chosen stays (`latest`, `^1`, or
 * not said at all) where that comes to the wanted one. Only what changes is touched.
 * @throws FleetError `invalid` when the config has something else where the list belongs.
 */
export function deployModule(configText: string, deployment: ModuleDeployment): string {
  const { ids, version, versions } = deployment;
  const text = configText.trim() === '' ? '{}' : configText;
  const list = listOf(text);
  const count = list ? usesIn(list.elements, ids).length : 0;
  if (count > 0) {
    return Array.from({ length: count }).reduce<string>((edited, _, index) => {
      const use = usesIn(listOf(edited)?.elements ?? [], ids)[index];
      return use ? withVersion(use, movedPin(textOf(use, 'version'), version, versions)) : edited;
    }, text);
  }
  const [id] = ids;
  const name = freeName(plainName(id), namesIn(list?.elements ?? []));
  const entry = JSON.stringify({ type: 'registry', name, module_id: id, version }, undefined, 2);
  if (list) return appendElement(list.value, entry);
  const root = rootOf(text);
  return appendMember(root, JSON.stringify(MODULES), appendElement(lone('[]'), entry));
}

/**
 * The text of a config that runs a module in whichever version: one that it runs already, or that its
 * fragments bring, stays as it is; else an entry is added.
 * @param resolved the same config with its fragments in place
 * @throws as `deployModule`
 */
export function withModule(
  configText: string,
  deployment: ModuleDeployment,
  resolved = configText,
): string {
  const texts = [configText, resolved];
  const isThere = texts.some((text) => moduleUses(text, deployment.ids).length > 0);
  return isThere ? configText : deployModule(configText, deployment);
}

/** The name with a number behind it when others have it. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  }
}

function listOf(
  text: string,
): { readonly value: JsonValue; readonly elements: readonly JsonValue[] } | undefined {
  const value = memberValue(rootOf(text), MODULES);
  if (!value) return undefined;
  const elements = elementsOf(value);
  if (!elements) throw invalid('The config has no list at "modules".');
  return { value, elements };
}

function rootOf(text: string): JsonValue {
  const root = parseJsonValue(text);
  if (root?.node.type !== 'object') throw invalid('The config is not a JSON object.');
  return root;
}

function usesIn(elements: readonly JsonValue[], ids: readonly string[]): readonly JsonValue[] {
  return elements.filter((element) => isUse(element, ids));
}

/** A module of the registry; one that is a file on the machine may carry its id for other reasons. */
function isUse(element: JsonValue, ids: readonly string[]): boolean {
  return ids.includes(textOf(element, 'module_id')) && textOf(element, 'type') !== 'local';
}

function withVersion(use: JsonValue, version: string): string {
  const written = memberValue(use, 'version');
  // It is left open, and stays so.
  if (version === textOf(use, 'version')) return use.text;
  if (!written) {
    return appendMember(use, JSON.stringify('version'), JSON.stringify(version));
  }
  return replaceValue(written, JSON.stringify(version));
}

function namesIn(elements: readonly JsonValue[]): ReadonlySet<string> {
  return new Set(elements.map((element) => textOf(element, 'name')));
}

/** `acme:sonar` is called `acme_sonar` in configs; an organization's id says nothing to a person. */
function plainName(id: string): string {
  const [owner = '', name = id] = id.split(':');
  const isOrganizationId = /^[0-9a-f]{8}-/.test(owner);
  return (isOrganizationId ? name : `${owner}_${name}`).replaceAll(/[^\w-]/g, '-');
}

function textOf(element: JsonValue, key: string): string {
  const value: unknown = memberValue(element, key)?.node.value;
  return typeof value === 'string' ? value : '';
}

function lone(text: string): JsonValue {
  const value = parseJsonValue(text);
  if (!value) throw invalid('This is not valid JSON.');
  return value;
}

function invalid(message: string): FleetError {
  return new FleetError('invalid', message);
}
