import { englishLocalizer, type Localizer } from '../../base/localizer';
import { FleetError } from '../api/errors';
import { appendElement, appendMember, memberValue } from './jsonEdits';
import { getElements, type JsonValue, parseJsonValue } from './jsonText';

/**
 * Returns the elements in a list in a config; empty if the config doesn't have this list.
 * @throws FleetError `invalid` if the config isn't a JSON object, or if the value isn't a list.
 */
export function getConfigList(
  configText: string,
  section: string,
  l10n = englishLocalizer,
): readonly JsonValue[] {
  const list = memberValue(parseConfigRoot(configText, l10n), section);
  return list ? getListElements(list, section, l10n) : [];
}

/**
 * Appends an element to a list in a config. Creates the list if it doesn't exist.
 * @param source JSON text of the element
 * @throws the same errors as `getConfigList`
 */
export function appendToConfigList(
  configText: string,
  section: string,
  source: string,
  l10n = englishLocalizer,
): string {
  const root = parseConfigRoot(configText, l10n);
  const list = memberValue(root, section);
  if (!list) {
    const added = `[\n  ${source.replaceAll('\n', '\n  ')}\n]`;
    return appendMember(root, JSON.stringify(section), added);
  }
  getListElements(list, section, l10n);
  return appendElement(list, source);
}

/** Parses a config. Empty text is an empty config. */
function parseConfigRoot(configText: string, l10n: Localizer): JsonValue {
  const root = parseJsonValue(configText.trim() === '' ? '{}' : configText);
  if (root?.node.type === 'object') return root;
  throw new FleetError('invalid', l10n.t('The config is not a valid JSON object.'));
}

function getListElements(list: JsonValue, section: string, l10n: Localizer): readonly JsonValue[] {
  const elements = getElements(list);
  if (elements) return elements;
  const message = l10n.t(
    'The value of "{0}" in the config must be a list. Correct it, and try again.',
    section,
  );
  throw new FleetError('invalid', message);
}
