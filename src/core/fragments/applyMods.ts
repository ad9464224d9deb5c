import {
  type ConfigValue,
  isList,
  isObject,
  memberOf,
  withMember,
  withoutMember,
} from './configValue';
import { identityOf, type Section, type SectionEntry, type Sections } from './configSections';
import type { Mod, ModOperation } from './fragmentMods';
import { prefixed } from './fragmentPrefix';

/** The sections that are lists even where a fragment has none. */
const LIST_SECTIONS = new Set([
  ...['components', 'services', 'modules', 'packages', 'processes', 'remotes', 'jobs'],
  ...['triggers', 'log', 'fragments', 'resource_configs', 'global_log_configuration'],
]);

/** Configs are not deeper than this. */
const MAX_STEPS = 100;

type Change = (value: ConfigValue | undefined) => ConfigValue | undefined;

/** What a change leads to: a value, nothing, or `missed` when there is no such place. */
type Outcome = { readonly value: ConfigValue | undefined } | 'missed';

/**
 * One import of a fragment with a config's changes applied. Paths find the entries of lists by the names
 * they had before any change, with the import's prefix or without it, or by their place.
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
        const name = identityOf(key, entry.value);
        if (name !== undefined) this.names.set(entry, name);
      }
    }
  }

  /** Answers the changes that lead nowhere here. */
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

  /** A name may itself hold dots: the shortest that is one counts. */
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
    const named = (wanted: string): SectionEntry | undefined =>
      entries.find((entry) => this.names.get(entry) === wanted);
    const own = this.prefix === '' ? undefined : named(prefixed(this.prefix, name));
    return own ?? named(name) ?? (/^\d+$/.test(name) ? entries[Number(name)] : undefined);
  }
}

/** Objects on the way are made where they are missing, as the operators of a database do it. */
function changeAt(
  value: ConfigValue | undefined,
  steps: readonly string[],
  change: Change,
): Outcome {
  const [step, ...rest] = steps;
  if (step === undefined) return { value: change(value) };
  if (isList(value)) return changeElement(value, steps, change);
  if (value !== undefined && !isObject(value)) return 'missed';
  const known = value && memberOf(value, step);
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
  const named = list.findIndex((element) => identityOf('', element) === step);
  const index = named === -1 && /^\d+$/.test(step) ? Number(step) : named;
  if (index < 0 || index >= list.length) return 'missed';
  const outcome = changeAt(list[index], rest, change);
  if (outcome === 'missed') return 'missed';
  const { value } = outcome;
  return { value: value === undefined ? list.toSpliced(index, 1) : list.with(index, value) };
}
