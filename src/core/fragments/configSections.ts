import {
  type ConfigObject,
  type ConfigPath,
  type ConfigValue,
  isList,
  isObject,
  getMember,
  toConfigObject,
  printConfig,
  sameConfigValue,
} from './configValue';

/** Entry in a list such as `components`, or the single value in a section such as `network`. */
export interface SectionEntry {
  value: ConfigValue;
  /**
   * IDs of the fragments that contributed the entry, outermost first; empty for an entry from the
   * config itself.
   */
  from: readonly string[];
}

interface ListSection {
  readonly kind: 'list';
  entries: SectionEntry[];
  /** Map from merge keys to entries in the list, for efficient merging. */
  known?: Map<string, SectionEntry>;
}

export type Section = ListSection | { readonly kind: 'single'; readonly entry: SectionEntry };

/** Config split into its top-level keys, in order. */
export type Sections = Map<string, Section>;

/**
 * Called for values that both sides provide and that can't be combined. Receives the entry that is
 * kept.
 */
export type Clash = (
  kind: 'duplicateName' | 'conflictingValue',
  subject: string,
  retained?: SectionEntry,
) => void;

/**
 * Sections in which later entries take precedence, so a fragment's entries must come before the
 * config's own.
 */
const LATER_WINS = new Set(['log', 'global_log_configuration']);

export function toSections(config: ConfigObject): Sections {
  return new Map(
    Object.entries(config).map(([key, value]): [string, Section] => [
      key,
      isList(value)
        ? { kind: 'list', entries: value.map((element) => ({ value: element, from: [] })) }
        : { kind: 'single', entry: { value, from: [] } },
    ]),
  );
}

export function toConfig(sections: Sections): ConfigObject {
  return toConfigObject(
    [...sections].map(([key, section]): [string, ConfigValue] => [
      key,
      section.kind === 'list' ? section.entries.map(({ value }) => value) : section.entry.value,
    ]),
  );
}

/** Returns an entry's path. If no list contains the entry, returns the config's root. */
export function pathTo(entry: SectionEntry, sections: Sections): ConfigPath {
  for (const [key, section] of sections) {
    const index = section.kind === 'list' ? section.entries.indexOf(entry) : -1;
    if (index !== -1) return [key, index];
  }
  return [];
}

/**
 * Returns the value that identifies an entry in its section. For a process, this is its `id`,
 * because its `name` is a program.
 */
export function getEntryIdentity(section: string, value: ConfigValue): string | undefined {
  if (!isObject(value)) return undefined;
  const keys = section === 'processes' ? ['id'] : ['name', 'id', 'pattern'];
  const found = keys.map((key) => getMember(value, key)).find((one) => typeof one === 'string');
  return typeof found === 'string' ? found : undefined;
}

/**
 * Merges a fragment's sections into a config. Existing entries take precedence. Keeps identical
 * entries only once, so that two fragments can provide the same module.
 */
export function mergeSections(target: Sections, addition: Sections, clash: Clash): void {
  for (const [key, section] of addition) {
    const known = target.get(key);
    if (!known) {
      target.set(key, copySection(section));
    } else if (known.kind === 'list' && section.kind === 'list') {
      mergeEntries(key, known, section.entries, clash);
    } else if (known.kind === 'single' && section.kind === 'single') {
      known.entry.value = mergeValues(known.entry.value, section.entry.value, key, clash);
    } else {
      clash('conflictingValue', key);
    }
  }
}

/** Returns a copy of a section, so that changes to its entries don't affect the original. */
export function copySection(section: Section): Section {
  return section.kind === 'list'
    ? { kind: 'list', entries: section.entries.map((entry) => ({ ...entry })) }
    : { kind: 'single', entry: { ...section.entry } };
}

function mergeEntries(
  key: string,
  list: ListSection,
  added: readonly SectionEntry[],
  clash: Clash,
): void {
  list.known ??= new Map(list.entries.map((entry) => [mergeKey(key, entry.value), entry]));
  const fresh: SectionEntry[] = [];
  for (const entry of added) {
    const mine = mergeKey(key, entry.value);
    const same = list.known.get(mine);
    if (!same) {
      list.known.set(mine, entry);
      fresh.push(entry);
    } else if (!sameConfigValue(same.value, entry.value)) {
      clash('duplicateName', `${key}.${getEntryIdentity(key, entry.value) ?? ''}`, same);
    }
  }
  list.entries = LATER_WINS.has(key) ? [...fresh, ...list.entries] : [...list.entries, ...fresh];
}

/** Returns a key for merging entries. Entries without a name are compared by value. */
function mergeKey(section: string, value: ConfigValue): string {
  const identity = getEntryIdentity(section, value);
  return identity === undefined ? `=${printConfig(value)}` : `:${identity}`;
}

function mergeValues(
  known: ConfigValue,
  added: ConfigValue,
  path: string,
  clash: Clash,
): ConfigValue {
  if (!isObject(known) || !isObject(added)) {
    if (!sameConfigValue(known, added)) clash('conflictingValue', path);
    return known;
  }
  const merged = new Map(Object.entries(known));
  for (const [key, value] of Object.entries(added)) {
    const own = merged.get(key);
    merged.set(key, own === undefined ? value : mergeValues(own, value, `${path}.${key}`, clash));
  }
  return toConfigObject(merged);
}
