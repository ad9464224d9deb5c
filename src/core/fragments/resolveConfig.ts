/**
 * Puts the fragments of a config in place. Where the rules come from:
 * - The public documentation of fragments: entries of `fragments` (an id alone, or id, version, prefix,
 *   variables, disabled); `prefix` and a dash before the names of resources; `$variable` places with
 *   `default_value`; `fragment_mods` with `$set`, `$unset` and `$rename`, whose paths name entries of
 *   lists by name or place, keep to the names before the changes, and which count all or not at all;
 *   five levels of nesting; no circles; the same fragment twice only with different prefixes.
 * - The demo fleet and media/schemas: processes are told apart by `id`, of `log` a later entry wins.
 * - Our own, where nothing is written: the config's own value wins over what a fragment brings, a
 *   fragment's own over what is nested in it, an earlier fragment's over a later one's; changes
 *   are made after the prefix and apply to what is nested in the fragment too; variables go one
 *   level down and further only where an import passes them on.
 */
import {
  type ConfigObject,
  type ConfigPath,
  type ConfigValue,
  isObject,
  memberOf,
  withoutMember,
} from './configValue';
import { ModifiedImport } from './applyMods';
import {
  configOf,
  copySection,
  mergeSections,
  pathTo,
  type Sections,
  sectionsOf,
} from './configSections';
import { type FragmentImport, importsOf } from './fragmentImport';
import { type FragmentMods, modsOf } from './fragmentMods';
import { applyPrefix } from './fragmentPrefix';
import { fillVariables, isTooDeep } from './fragmentVariables';
import type { Report, ResolveProblem } from './resolveProblem';

/** The config of a fragment's version (a revision or tag; undefined for the newest), if it can be read. */
export type FragmentLookup = (id: string, version: string | undefined) => ConfigValue | undefined;

/** Where an entry of the result comes from. */
export interface Origin {
  readonly path: ConfigPath;
  /** The ids of the fragments it came through, outermost first. */
  readonly fragments: readonly string[];
}

export interface ResolvedConfig {
  /** The config's own keys first, then what the fragments bring, in the order of their use. */
  readonly config: ConfigObject;
  readonly origins: readonly Origin[];
  readonly problems: readonly ResolveProblem[];
}

/** Fragments nest up to five deep. */
export const MAX_NESTING = 5;

// Far beyond what fleets use; nested uses multiply, and so does a hostile config.
const MAX_IMPORTS = 2_000;
const MAX_VALUES = 200_000;
const MAX_PROBLEMS = 200;

/**
 * A config with its fragments in place. Never throws: what cannot be put in place stays in the
 * `fragments` of the result and is told in `problems`.
 */
export function resolveConfig(config: unknown, lookup: FragmentLookup): ResolvedConfig {
  return new Resolution(lookup).run(config);
}

/** An import whose fragment is read, before it is merged. */
interface Brought {
  readonly use: FragmentImport;
  sections: Sections;
}

/** Where resolving is: the fragments it is in, and the import of the given config that led there. */
interface Place {
  readonly chain: readonly string[];
  readonly outer: ConfigPath | undefined;
}

class Resolution {
  private readonly problems: ResolveProblem[] = [];
  private imports = 0;
  private values = 0;
  private full = false;

  constructor(private readonly lookup: FragmentLookup) {}

  run(config: unknown): ResolvedConfig {
    const top: Place = { chain: [], outer: undefined };
    const report = this.reporter(top);
    if (!isObject(config)) report('notAnObject', []);
    const copy = this.copy(isObject(config) ? config : {}, {}, report, true);
    const sections = this.resolve(isObject(copy) ? copy : {}, top);
    const origins = [...sections].flatMap(([key, section]): Origin[] =>
      section.kind === 'list'
        ? section.entries.map(({ from }, index) => ({ path: [key, index], fragments: from }))
        : [{ path: [key], fragments: section.entry.from }],
    );
    return {
      config: configOf(sections),
      origins: origins.filter(({ fragments }) => fragments.length > 0),
      problems: this.problems,
    };
  }

  private resolve(config: ConfigObject, place: Place): Sections {
    const report = this.reporter(place);
    const sections = sectionsOf(withoutMember(withoutMember(config, 'fragments'), 'fragment_mods'));
    const mods = modsOf(config, report);
    const left: ConfigValue[] = [];
    const seen = new Set<string>();
    const brought = importsOf(config, report).flatMap((use): Brought[] => {
      if (use.disabled) return [];
      const key = JSON.stringify([use.id, use.prefix]);
      const inner = seen.has(key) ? undefined : this.bring(use, place);
      if (seen.has(key)) report('duplicateImport', ['fragments', use.index], use.id);
      if (inner === undefined) left.push(use.written);
      seen.add(key);
      return inner ? [{ use, sections: inner }] : [];
    });
    this.reportStrayMods(config, mods, report);
    for (const [id, changes] of mods) this.modify(id, changes, brought, report);
    const all: Sections = new Map();
    for (const { use, sections: inner } of brought) {
      mergeSections(all, inner, (kind, subject) => {
        report(kind, ['fragments', use.index], subject);
      });
    }
    if (left.length > 0) {
      const entries = left.map((value) => ({ value, from: [] }));
      sections.set('fragments', { kind: 'list', entries });
    }
    const own = new Map(sections);
    mergeSections(sections, all, (kind, subject, kept) => {
      // A config's own value over a fragment's is how a machine differs; two of a name are a mistake.
      if (kind === 'duplicateName') report(kind, kept ? pathTo(kept, own) : [], subject);
    });
    return sections;
  }

  /** What an import brings, with its prefix; undefined when it cannot be put in place. */
  private bring(use: FragmentImport, place: Place): Sections | undefined {
    const path = ['fragments', use.index];
    const report = this.reporter(place);
    this.imports += 1;
    if (this.imports > MAX_IMPORTS || this.full) {
      this.stop(report, path);
      return undefined;
    }
    const config = this.read(use, place, (kind) => {
      report(kind, path, use.id);
    });
    if (config === undefined) return undefined;
    const inner: Place = { chain: [...place.chain, use.id], outer: place.outer ?? path };
    const filled = this.copy(config, use.variables, this.reporter(inner), false, (name) => {
      report('unknownVariable', [...path, 'variables', name], name);
    });
    const sections = this.resolve(isObject(filled) ? filled : {}, inner);
    for (const section of sections.values()) {
      const entries = section.kind === 'list' ? section.entries : [section.entry];
      for (const entry of entries) entry.from = [use.id, ...entry.from];
    }
    if (use.prefix !== '') applyPrefix(sections, use.prefix);
    return sections;
  }

  private read(
    { id, version }: FragmentImport,
    { chain }: Place,
    refuse: (kind: 'cycle' | 'tooDeep' | 'unknownFragment') => void,
  ): ConfigValue | undefined {
    const isCycle = chain.includes(id);
    if (isCycle) refuse('cycle');
    else if (chain.length >= MAX_NESTING) refuse('tooDeep');
    if (isCycle || chain.length >= MAX_NESTING) return undefined;
    const config = this.lookup(id, version);
    if (config === undefined) refuse('unknownFragment');
    return config;
  }

  /** A path may lead into one use of the fragment and not into another; into none is a mistake. */
  private modify(
    id: string,
    { mods, faulty }: FragmentMods,
    brought: readonly Brought[],
    report: Report,
  ): void {
    const uses = brought.filter(({ use }) => use.id === id);
    if (uses.length === 0) return;
    const modified = uses.map(({ use, sections }) => {
      const copy: Sections = new Map(
        [...sections].map(([key, section]) => [key, copySection(section)]),
      );
      return { copy, missed: new Set(new ModifiedImport(copy, use.prefix).apply(mods)) };
    });
    const lost = mods.filter((mod) => modified.every(({ missed }) => missed.has(mod)));
    for (const { path, operation } of lost) report('modTargetMissing', path, operation.target);
    if (faulty || lost.length > 0) return;
    uses.forEach((use, index) => (use.sections = modified[index]?.copy ?? use.sections));
  }

  private reportStrayMods(
    config: ConfigObject,
    mods: ReadonlyMap<string, FragmentMods>,
    report: Report,
  ): void {
    const known = new Set(importsOf(config).map(({ id }) => id));
    for (const [id, { index }] of mods) {
      if (!known.has(id)) report('modWithoutImport', ['fragment_mods', index, 'fragment_id'], id);
    }
  }

  /** Copies a config with its variables filled, and counts what it copies. */
  private copy(
    config: ConfigValue,
    values: ConfigObject,
    report: Report,
    isOutside: boolean,
    reportUnknown: (name: string) => void = () => undefined,
  ): ConfigValue {
    const used = new Set<string>();
    const copied = fillVariables(
      config,
      ({ name, defaultValue }, path) => {
        used.add(name);
        const value = Object.hasOwn(values, name) ? memberOf(values, name) : defaultValue;
        if (isOutside) report('variableOutsideFragment', path, name);
        else if (value === undefined) report('missingVariable', path, name);
        return isOutside ? undefined : value;
      },
      (path) => this.mayCopy(path, report),
    );
    for (const name of Object.keys(values)) if (!used.has(name)) reportUnknown(name);
    return copied;
  }

  private mayCopy(path: ConfigPath, report: Report): boolean {
    this.values += 1;
    if (isTooDeep(path)) report('valueTooDeep', path);
    else if (this.values > MAX_VALUES) this.stop(report, path);
    return !isTooDeep(path) && !this.full;
  }

  private stop(report: Report, path: ConfigPath): void {
    if (!this.full) report('tooLarge', path);
    this.full = true;
  }

  private reporter({ chain, outer }: Place): Report {
    return (kind, path, subject = '') => {
      // What follows from having stopped says nothing about the config.
      if (this.problems.length >= MAX_PROBLEMS || this.full) return;
      this.problems.push({ kind, path: outer ?? path, fragments: chain, subject });
    };
  }
}
