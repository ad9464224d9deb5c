import { applyEdits, modify } from 'jsonc-parser';
import { englishLocalizer } from '../../base/localizer';
import { appendToConfigList, getConfigList } from './configLists';
import { getElements, getMembers, getSource, type JsonValue, parseJsonValue } from './jsonText';
import { applyMergePatch, memberValue, replaceValue } from './jsonEdits';

const FRAGMENTS = 'fragments';

/** Fragment use in a config. */
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
 * @throws the same errors as `getConfigList`
 */
export function addFragment(configText: string, use: FragmentUse, l10n = englishLocalizer): string {
  const elements = getConfigList(configText, FRAGMENTS, l10n);
  const found = elements.find((element) => isUse(element, use));
  if (!found) {
    const source = formatFragmentUse(use, elements.at(-1)?.node.type === 'string');
    return appendToConfigList(configText, FRAGMENTS, source, l10n);
  }
  if (use.variables === '') return configText;
  const before = found.node.type === 'string' ? formatFragmentUse(use, false) : getSource(found);
  const after = applyMergePatch(before, `{"variables": ${use.variables}}`);
  return after === getSource(found) ? configText : replaceValue(found, after);
}

function isUse(element: JsonValue, { id, prefix }: FragmentUse): boolean {
  if (element.node.type === 'string') return element.node.value === id && prefix === '';
  if (element.node.type !== 'object') return false;
  const valueOf = (key: string): unknown => memberValue(element, key)?.node.value;
  return valueOf('id') === id && (valueOf('prefix') ?? '') === prefix;
}

/**
 * Formats a fragment use for a config: only the ID if the ID is sufficient and the list uses plain
 * IDs.
 */
function formatFragmentUse({ id, prefix, variables }: FragmentUse, idAlone: boolean): string {
  if (idAlone && prefix === '' && variables === '') return JSON.stringify(id);
  const plain = JSON.stringify({ id, ...(prefix !== '' && { prefix }) }, undefined, 2);
  return variables === '' ? plain : applyMergePatch(plain, `{"variables": ${variables}}`);
}

/** List entry in a config, such as a component, that a fragment can contain. */
export interface ConfigEntry {
  readonly section: string;
  /** Index of the entry in its list. */
  readonly index: number;
  /** Name or ID of the entry; empty if it has neither. */
  readonly name: string;
  /** API, model, or type of the entry as written in the config; empty if not specified. */
  readonly type: string;
  /** Offset of the entry in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  /** Source text of the entry. */
  readonly source: string;
}

/**
 * Sections that fragments can contain: all sections except the fragments themselves and their
 * overrides, which remain in the machine's config.
 */
const SECTIONS = new Set([
  ...['components', 'services', 'modules', 'packages', 'remotes', 'processes', 'jobs'],
  ...['triggers', 'log'],
]);

/**
 * Returns a config's entries that a fragment can contain, in order; returns an empty list if the
 * text isn't JSON.
 */
export function configEntries(text: string): readonly ConfigEntry[] {
  const root = parseJsonValue(text);
  return (root && getMembers(root) ? (getMembers(root) ?? []) : []).flatMap(({ key, value }) => {
    if (!SECTIONS.has(key)) return [];
    return (getElements(value) ?? []).flatMap((element, index): ConfigEntry[] => {
      const members = getMembers(element);
      if (!members) return [];
      const textAt = (name: string): string => {
        const found = members.find((member) => member.key === name)?.value.node;
        return found?.type === 'string' ? String(found.value) : '';
      };
      return [
        {
          section: key,
          index,
          name: textAt(key === 'processes' ? 'id' : 'name') || textAt('id') || textAt('pattern'),
          type: textAt('api') || textAt('model') || textAt('type') || textAt('module_id'),
          offset: element.node.offset,
          length: element.node.length,
          source: getSource(element),
        },
      ];
    });
  });
}

/**
 * Returns the entries that a selection touches. A selection in a section's name selects the entire
 * section.
 */
export function entriesTouched(
  text: string,
  selection: { readonly start: number; readonly end: number },
): readonly ConfigEntry[] {
  const entries = configEntries(text);
  const touched = entries.filter(
    ({ offset, length }) => offset <= selection.end && selection.start <= offset + length,
  );
  if (touched.length > 0) return touched;
  const root = parseJsonValue(text);
  const section = (root && getMembers(root))?.find(({ keyText, value: { node } }) => {
    const end = node.offset + node.length;
    const start = (node.parent?.offset ?? node.offset) - keyText.length;
    return start <= selection.start && selection.end <= end;
  });
  return entries.filter((entry) => entry.section === section?.key);
}

/** Formats a config that contains only these entries, as written. */
export function formatEntries(entries: readonly ConfigEntry[]): string {
  const sections = [...new Set(entries.map(({ section }) => section))].map((section) => {
    const sources = entries.filter((entry) => entry.section === section).map((one) => one.source);
    return `${JSON.stringify(section)}: [${sources.join(', ')}]`;
  });
  return `{${sections.join(', ')}}`;
}

/** Replaces config entries with a fragment use, and leaves the rest of the text unchanged. */
export function replaceWithFragment(
  text: string,
  entries: readonly ConfigEntry[],
  fragmentId: string,
  l10n = englishLocalizer,
): string {
  const last = entries.toSorted((a, b) => b.offset - a.offset);
  const without = last.reduce(
    (rest, { section, index }) => applyEdits(rest, modify(rest, [section, index], undefined, {})),
    text,
  );
  return addFragment(without, { id: fragmentId, prefix: '', variables: '' }, l10n);
}
