import { nearestName } from '../../../base/nearestName';
import { KNOWN_APIS } from '../knownApis';

const TRIPLET = /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/;
/** Longer ones are no slip of the pen. */
const LONGEST = 200;

/** Whether a text is three names between colons, as APIs and models are (rule of UpdateModule). */
export function isTriplet(text: string): boolean {
  return TRIPLET.test(text);
}

/** The API that was most likely meant by a text that is none; undefined when nothing is near. */
export function suggestApi(written: string): string | undefined {
  if (written.length > LONGEST) return undefined;
  const parts = partsOf(written.toLowerCase());
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
 * The API of machine software that was most likely meant by one that it has not; undefined where it has
 * it, for APIs of others, and when nothing is near.
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
 * The model that was most likely meant by a text that is none.
 * @param moduleId gives what is left out: its namespace, and its name for the family
 */
export function suggestModel(written: string, moduleId: string): string | undefined {
  if (written.length > LONGEST) return undefined;
  const parts = partsOf(written);
  const [namespace, family] = partsOf(moduleId);
  if (parts.length === 0 || parts.length > 3 || !namespace || !family) return undefined;
  return [namespace, family]
    .slice(0, 3 - parts.length)
    .concat(parts)
    .join(':');
}

/** Names between whatever stands between them; other characters in them become dashes. */
function partsOf(written: string): string[] {
  return written
    .split(/[:/.]+/)
    .map((part) => part.trim().replace(/[^A-Za-z0-9_-]+/g, '-'))
    .map((part) => part.replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '');
}
