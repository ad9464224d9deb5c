import {
  type ConfigObject,
  type ConfigValue,
  getMember,
  isList,
  isObject,
  toConfigObject,
  withMember,
  withoutMember,
} from './configValue';
import { getEntryIdentity, type Section, type SectionEntry, type Sections } from './configSections';
import type { Mod, ModOperation } from './fragmentImport';

/**
 * Sections whose entries get the prefix. Modules and packages are software, not resources. A
 * fragment that is used twice provides them once, and configs refer to them by their own names.
 */
const PREFIXED = new Set(['components', 'services', 'remotes', 'processes', 'jobs', 'triggers']);

/** Sections whose entries `depends_on` and similar members can refer to. */
const REFERABLE = ['components', 'services', 'remotes'];

/** Members of an entry in which an entire string can be a resource name. */
const REFERRING = new Set(['depends_on', 'attributes', 'service_configs', 'resource']);

/**
 * Qualified name of a resource, such as `rdk:component:motor/left`. The name follows the last
 * slash.
 */
const QUALIFIED = /^(?<type>[^/]*\/)?(?<name>[^/]*)$/;

function prefixed(prefix: string, name: string): string {
  return `${prefix}-${name}`;
}

/**
 * Adds a prefix to the names of a fragment's resources and to all references to them in the
 * fragment.
 */
export function applyPrefix(sections: Sections, prefix: string): void {
  const names = namesIn(sections);
  const rename = (text: string): string => renameReference(text, prefix, names);
  for (const [key, section] of sections) {
    if (section.kind !== 'list') continue;
    for (const entry of section.entries) entry.value = renamed(key, entry, prefix, rename);
  }
}

function renamed(
  section: string,
  { value }: SectionEntry,
  prefix: string,
  rename: (text: string) => string,
): ConfigValue {
  if (!isObject(value)) return value;
  const name = PREFIXED.has(section) ? getEntryIdentity(section, value) : undefined;
  const key = section === 'processes' ? 'id' : 'name';
  const own = name === undefined ? value : withMember(value, key, prefixed(prefix, name));
  return toConfigObject(
    Object.entries(own).map(([member, inner]): [string, ConfigValue] => {
      if (member === 'frame' && isObject(inner)) return [member, renameParent(inner, rename)];
      return [member, REFERRING.has(member) ? renameDeep(inner, rename) : inner];
    }),
  );
}

function renameParent(frame: ConfigObject, rename: (text: string) => string): ConfigObject {
  const parent = getMember(frame, 'parent');
  return typeof parent === 'string' ? withMember(frame, 'parent', rename(parent)) : frame;
}

/**
 * Renames references in a value at any depth. The schema of attributes is not known, so a string
 * that equals a resource name is treated as a reference.
 */
function renameDeep(value: ConfigValue, rename: (text: string) => string): ConfigValue {
  if (typeof value === 'string') return rename(value);
  if (isList(value)) return value.map((element) => renameDeep(element, rename));
  if (!isObject(value)) return value;
  return toConfigObject(
    Object.entries(value).map(([key, member]) => [key, renameDeep(member, rename)] as const),
  );
}

/**
 * Renames a reference to a resource. Names such as `remote:resource` refer to resources on a
 * remote.
 */
function renameReference(text: string, prefix: string, names: ReadonlySet<string>): string {
  const { type = '', name = '' } = QUALIFIED.exec(text)?.groups ?? {};
  const [first = ''] = name.split(':', 1);
  return names.has(name) || (first !== name && names.has(first))
    ? type + prefixed(prefix, name)
    : text;
}

function namesIn(sections: Sections): ReadonlySet<string> {
  return new Set(
    REFERABLE.flatMap((key) => {
      const section = sections.get(key);
      const entries = section?.kind === 'list' ? section.entries : [];
      return entries.flatMap(({ value }) => getEntryIdentity(key, value) ?? []);
    }),
  );
}

/** Sections that are always lists. Needed for sections that a fragment doesn't contain. */
const LIST_SECTIONS = new Set([
  ...['components', 'services', 'modules', 'packages', 'processes', 'remotes', 'jobs'],
  ...['triggers', 'log', 'fragments', 'resource_configs', 'global_log_configuration'],
]);

/** Maximum number of steps in a path; the same as the maximum depth of configs. */
const MAX_STEPS = 100;

type Change = (value: ConfigValue | undefined) => ConfigValue | undefined;

/** Result of a change: a value, no value, or `missed` if the path doesn't exist. */
type Outcome = { readonly value: ConfigValue | undefined } | 'missed';

/**
 * Fragment import to which a config's changes are applied. Paths identify list entries by their
 * names before any change, with or without the import's prefix, or by index.
 */
export class ModifiedImport {
  private readonly names = new Map<SectionEntry, string>();

  constructor(
    private readonly sections: Sections,
    private readonly prefix: string,
  ) {
    for (const [key, section] of sections) {
      if (section.kind !== 'list') continue;
      for (const entry of section.entries) {
        const name = getEntryIdentity(key, entry.value);
        if (name !== undefined) this.names.set(entry, name);
      }
    }
  }

  /** Applies changes and returns the changes whose paths don't exist in this import. */
  apply(mods: readonly Mod[]): Mod[] {
    return mods.filter(({ operation }) => !this.applyOne(operation));
  }

  private applyOne(operation: ModOperation): boolean {
    if (operation.kind === 'set') return this.change(operation.target, () => operation.value);
    if (operation.kind === 'unset') return this.change(operation.target, () => undefined);
    const { target, to } = operation;
    let moved: ConfigValue | undefined;
    const isThere = this.change(target, (value) => (moved = value));
    if (!isThere || moved === undefined || !this.change(to, () => moved)) return false;
    return this.change(target, () => undefined);
  }

  private change(target: string, change: Change): boolean {
    const [key = '', ...steps] = target.split('.');
    if (steps.length > MAX_STEPS) return false;
    const section = this.sections.get(key);
    if (section?.kind === 'list') return this.changeEntry(section.entries, steps, change);
    if (!section && LIST_SECTIONS.has(key)) return false;
    const outcome = changeAt(section?.entry.value, steps, change);
    if (outcome === 'missed') return false;
    this.replace(key, section, outcome.value);
    return true;
  }

  private replace(key: string, section: Section | undefined, value: ConfigValue | undefined): void {
    if (value === undefined) this.sections.delete(key);
    else if (section?.kind === 'single') section.entry.value = value;
    else this.sections.set(key, { kind: 'single', entry: { value, from: [] } });
  }

  /** Changes an entry. A name can itself contain dots, so the shortest matching name is used. */
  private changeEntry(entries: SectionEntry[], steps: readonly string[], change: Change): boolean {
    for (let taken = 1; taken <= steps.length; taken += 1) {
      const entry = this.find(entries, steps.slice(0, taken).join('.'));
      if (!entry) continue;
      const outcome = changeAt(entry.value, steps.slice(taken), change);
      if (outcome === 'missed') return false;
      if (outcome.value === undefined) entries.splice(entries.indexOf(entry), 1);
      else entry.value = outcome.value;
      return true;
    }
    return false;
  }

  private find(entries: readonly SectionEntry[], name: string): SectionEntry | undefined {
    const named = (entryName: string): SectionEntry | undefined =>
      entries.find((entry) => this.names.get(entry) === entryName);
    const own = this.prefix === '' ? undefined : named(prefixed(this.prefix, name));
    return own ?? named(name) ?? (/^\d+$/.test(name) ? entries[Number(name)] : undefined);
  }
}

/** Changes the value at a path. Creates missing objects on the path, as database operators do. */
function changeAt(
  value: ConfigValue | undefined,
  steps: readonly string[],
  change: Change,
): Outcome {
  const [step, ...rest] = steps;
  if (step === undefined) return { value: change(value) };
  if (isList(value)) return changeElement(value, steps, change);
  if (value !== undefined && !isObject(value)) return 'missed';
  const known = value && getMember(value, step);
  const outcome = changeAt(known, rest, change);
  if (outcome === 'missed') return 'missed';
  if (outcome.value !== undefined) return { value: withMember(value ?? {}, step, outcome.value) };
  return { value: value && withoutMember(value, step) };
}

function changeElement(
  list: readonly ConfigValue[],
  [step = '', ...rest]: readonly string[],
  change: Change,
): Outcome {
  const named = list.findIndex((element) => getEntryIdentity('', element) === step);
  const index = named === -1 && /^\d+$/.test(step) ? Number(step) : named;
  if (index < 0 || index >= list.length) return 'missed';
  const outcome = changeAt(list[index], rest, change);
  if (outcome === 'missed') return 'missed';
  const { value } = outcome;
  return { value: value === undefined ? list.toSpliced(index, 1) : list.with(index, value) };
}
