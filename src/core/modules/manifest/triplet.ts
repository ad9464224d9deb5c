import { nearestName } from '../../../base/nearestName';
import { KNOWN_APIS } from '../knownApis';

const TRIPLET = /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/;
/** Maximum length of a text to compare with known names; longer texts are not typos. */
const LONGEST = 200;

/**
 * Returns true for a triplet of names separated by colons, the format of APIs and models (according
 * to a rule of UpdateModule).
 */
export function isTriplet(text: string): boolean {
  return TRIPLET.test(text);
}

/**
 * Returns the API whose name is most similar to an invalid text; undefined if no name is similar.
 */
export function suggestApi(written: string): string | undefined {
  if (written.length > LONGEST) return undefined;
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
 * Returns the API of the machine software whose name is most similar to an unknown API. Returns
 * undefined if the API is known, if it has a different namespace, or if no name is similar.
 */
export function suggestKnownApi(api: string): string | undefined {
  const kind = ['rdk:component:', 'rdk:service:'].find((prefix) => api.startsWith(prefix));
  if (kind === undefined || KNOWN_APIS.includes(api) || api.length > LONGEST) return undefined;
  const names = KNOWN_APIS.filter((known) => known.startsWith(kind)).map((known) =>
    known.slice(kind.length),
  );
  const nearest = nearestName(api.slice(kind.length), names);
  return nearest === undefined ? undefined : kind + nearest;
}

/**
 * Returns the valid model name that is most similar to an invalid text.
 * @param moduleId ID of the module, which provides missing parts: its namespace, and its name as
 *   the family
 */
export function suggestModel(written: string, moduleId: string): string | undefined {
  if (written.length > LONGEST) return undefined;
  const parts = splitTriplet(written);
  const [namespace, family] = splitTriplet(moduleId);
  if (parts.length === 0 || parts.length > 3 || !namespace || !family) return undefined;
  return [namespace, family]
    .slice(0, 3 - parts.length)
    .concat(parts)
    .join(':');
}

/**
 * Splits a text into names at any separators. Replaces other invalid characters in the names with
 * dashes.
 */
function splitTriplet(written: string): string[] {
  return written
    .split(/[:/.]+/)
    .map((part) => part.trim().replace(/[^A-Za-z0-9_-]+/g, '-'))
    .map((part) => part.replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '');
}
