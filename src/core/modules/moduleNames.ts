import { nearestName } from '../../base/nearestName';

/** Reason that a string isn't a valid name for a new module. */
export type ModuleNameProblem = 'empty' | 'characters' | 'taken' | 'tooLong';

const NAME = /^[A-Za-z0-9_-]+$/;
const NOT_IN_NAME = /[^A-Za-z0-9_-]+/g;
export const MAX_NAME_LENGTH = 200;

/**
 * Validates a name according to the registry's rules: it must consist of letters, digits, dashes,
 * and underscores, and be unique among all items in an organization (spec part 3, CreateModule).
 *
 * @param taken names of the organization's items
 */
export function moduleNameProblem(
  name: string,
  taken: ReadonlySet<string>,
): ModuleNameProblem | undefined {
  if (name === '') return 'empty';
  if (!NAME.test(name)) return 'characters';
  if (name.length > MAX_NAME_LENGTH) return 'tooLong';
  return taken.has(name) ? 'taken' : undefined;
}

/**
 * Derives a valid name from any text, such as a folder name; empty if no valid characters remain.
 */
export function suggestedModuleName(text: string): string {
  return text
    .trim()
    .replace(NOT_IN_NAME, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME_LENGTH);
}

/** Splits a module ID into its two parts. A missing part is empty. */
export function splitModuleId(id: string): { readonly owner: string; readonly name: string } {
  const separator = id.indexOf(':');
  return separator < 0
    ? { owner: '', name: id }
    : { owner: id.slice(0, separator), name: id.slice(separator + 1) };
}

const MODULE_ID = /^[^:\s]+:[A-Za-z0-9_-]+$/;

/**
 * Returns true for a valid module ID: an owner, a colon, and a name (according to the rules of
 * CreateModule).
 */
export function isModuleId(text: string): boolean {
  return MODULE_ID.test(text);
}

const TRIPLET = /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/;
/** Maximum length of strings that are compared with known names; longer strings are not typos. */
const MAX_TEXT_LENGTH = 200;

/**
 * Returns true for a triplet of names separated by colons, the format of APIs and models (according
 * to a rule of UpdateModule).
 */
export function isTriplet(text: string): boolean {
  return TRIPLET.test(text);
}

/**
 * Returns the API whose name is most similar to an invalid name; undefined if no name is similar.
 */
export function suggestApi(written: string): string | undefined {
  if (written.length > MAX_TEXT_LENGTH) return undefined;
  const parts = splitTriplet(written.toLowerCase());
  const last = parts.at(-1);
  const kind = parts.find((part) => part === 'component' || part === 'service');
  const known = KNOWN_APIS.filter((api) => kind === undefined || api.includes(`:${kind}:`));
  const named = known.find((api) => api.endsWith(`:${last ?? ''}`));
  if (named !== undefined) return named;
  if (parts.length === 3) return parts.join(':');
  const nearest = nearestName(
    last ?? '',
    known.map((api) => api.slice(api.lastIndexOf(':') + 1)),
  );
  return known.find((api) => nearest !== undefined && api.endsWith(`:${nearest}`));
}

/**
 * Returns the machine software's API whose name is most similar to an unknown API. Returns
 * undefined if the API is known, if it has a different namespace, or if no name is similar.
 */
export function suggestKnownApi(api: string): string | undefined {
  const kind = ['rdk:component:', 'rdk:service:'].find((prefix) => api.startsWith(prefix));
  if (kind === undefined || KNOWN_APIS.includes(api) || api.length > MAX_TEXT_LENGTH) {
    return undefined;
  }
  const names = KNOWN_APIS.filter((known) => known.startsWith(kind)).map((known) =>
    known.slice(kind.length),
  );
  const nearest = nearestName(api.slice(kind.length), names);
  return nearest === undefined ? undefined : kind + nearest;
}

/**
 * Returns the valid model name that is most similar to an invalid name.
 * @param moduleId ID of the module, which provides missing parts: its namespace, and its name as
 *   the family
 */
export function suggestModel(written: string, moduleId: string): string | undefined {
  if (written.length > MAX_TEXT_LENGTH) return undefined;
  const parts = splitTriplet(written);
  const [namespace, family] = splitTriplet(moduleId);
  if (parts.length === 0 || parts.length > 3 || !namespace || !family) return undefined;
  return [namespace, family]
    .slice(0, 3 - parts.length)
    .concat(parts)
    .join(':');
}

/**
 * Splits a string into names at any separators. Replaces other invalid characters in the names with
 * dashes.
 */
function splitTriplet(written: string): string[] {
  return written
    .split(/[:/.]+/)
    .map((part) => part.trim().replace(/[^A-Za-z0-9_-]+/g, '-'))
    .map((part) => part.replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '');
}

/** Component types as named by the public service: the last part of `rdk:component:…`. */
const COMPONENTS = [
  'arm',
  'audio_in',
  'audio_out',
  'base',
  'board',
  'button',
  'camera',
  'encoder',
  'gantry',
  'generic',
  'gripper',
  'input_controller',
  'motor',
  'movement_sensor',
  'pose_tracker',
  'power_sensor',
  'sensor',
  'servo',
  'switch',
] as const;

/** Service types: the last part of `rdk:service:…`. */
const SERVICES = [
  'base_remote_control',
  'data_manager',
  'discovery',
  'generic',
  'mlmodel',
  'motion',
  'navigation',
  'shell',
  'slam',
  'video',
  'vision',
  'world_state_store',
] as const;

/** APIs that the machine software defines. Modules can also define their own APIs. */
export const KNOWN_APIS: readonly string[] = [
  ...COMPONENTS.map((name) => `rdk:component:${name}`),
  ...SERVICES.map((name) => `rdk:service:${name}`),
];
