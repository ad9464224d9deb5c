import {
  type ConfigObject,
  type ConfigPath,
  type ConfigValue,
  isList,
  isObject,
  memberOf,
  objectOf,
  printConfig,
  sameConfigValue,
} from './configValue';

/** One entry of a list such as `components`, or the one value of a section such as `network`. */
export interface SectionEntry {
  value: ConfigValue;
  /** The ids of the fragments it came through, outermost first; empty for the config's own. */
  from: readonly string[];
}

interface ListSection {
  readonly kind: 'list';
  entries: SectionEntry[];
  /** What is in the list, for merging much into it. */
  known?: Map<string, SectionEntry>;
}

export type Section = ListSection | { readonly kind: 'single'; readonly entry: SectionEntry };

/** A config by its top-level keys, in their order. */
export type Sections = Map<string, Section>;

/** Told of what both sides give and cannot both be kept, and of the entry that is kept. */
export type Clash = (
  kind: 'duplicateName' | 'conflictingValue',
  subject: string,
  kept?: SectionEntry,
) => void;

/** In these a later entry wins, so that what a fragment brings goes before the config's own. */
const LATER_WINS = new Set(['log', 'global_log_configuration']);

export function sectionsOf(config: ConfigObject): Sections {
  return new Map(
    Object.entries(config).map(([key, value]): [string, Section] => [
      key,
      isList(value)
        ? { kind: 'list', entries: value.map((element) => ({ value: element, from: [] })) }
        : { kind: 'single', entry: { value, from: [] } },
    ]),
  );
}

export function configOf(sections: Sections): ConfigObject {
  return objectOf(
    [...sections].map(([key, section]): [string, ConfigValue] => [
      key,
      section.kind === 'list' ? section.entries.map(({ value }) => value) : section.entry.value,
    ]),
  );
}

/** Where an entry stands; the top of the config when it is in no list. */
export function pathTo(entry: SectionEntry, sections: Sections): ConfigPath {
  for (const [key, section] of sections) {
    const index = section.kind === 'list' ? section.entries.indexOf(entry) : -1;
    if (index !== -1) return [key, index];
  }
  return [];
}

/** What tells the entries of a section apart: a process by its `id`, as its `name` is a program. */
export function identityOf(section: string, value: ConfigValue): string | undefined {
  if (!isObject(value)) return undefined;
  const keys = section === 'processes' ? ['id'] : ['name', 'id', 'pattern'];
  const found = keys.map((key) => memberOf(value, key)).find((one) => typeof one === 'string');
  return typeof found === 'string' ? found : undefined;
}

/**
 * Adds what a fragment brings. What is there already wins; an entry that both have alike is kept once,
 * so that two fragments may bring the same module.
 */
export function mergeSections(target: Sections, addition: Sections, clash: Clash): void {
  for (const [key, section] of addition) {
    const known = target.get(key);
    if (!known) target.set(key, copySection(section));
    else if (known.kind === 'list' && section.kind === 'list') {
      mergeEntries(key, known, section.entries, clash);
    } else if (known.kind === 'single' && section.kind === 'single') {
      known.entry.value = mergeValues(known.entry.value, section.entry.value, key, clash);
    } else clash('conflictingValue', key);
  }
}

/** A copy whose entries can be changed without changing those of the original. */
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
      clash('duplicateName', `${key}.${identityOf(key, entry.value) ?? ''}`, same);
    }
  }
  list.entries = LATER_WINS.has(key) ? [...fresh, ...list.entries] : [...list.entries, ...fresh];
}

/** Entries without a name are the same when they say the same. */
function mergeKey(section: string, value: ConfigValue): string {
  const identity = identityOf(section, value);
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
  return objectOf(merged);
}
