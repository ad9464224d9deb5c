/**
 * Resolves the fragments in a config. Sources of the rules:
 * - The public documentation on fragments: entries in `fragments` (only an ID, or ID, version,
 *   prefix, variables, disabled); `prefix` and a dash before resource names; `$variable`
 *   placeholders with `default_value`; `fragment_mods` with `$set`, `$unset`, and `$rename`, whose
 *   paths identify list entries by name or index and use the names before the changes, and which
 *   are applied either completely or not at all; five levels of nesting; no cycles; the same
 *   fragment twice only with different prefixes.
 * - The demo fleet and media/schemas: processes are identified by `id`; in `log`, later entries
 *   take precedence.
 * - Our own rules, where nothing is documented: the config's own values take precedence over a
 *   fragment's, a fragment's own values over those from fragments nested in it, and an earlier
 *   fragment's values over a later one's; changes are made after the prefix is added and also apply
 *   to nested fragments; variables apply to one level, and to further levels only if an import
 *   passes them on.
 */
import { atOnce } from '../../base/slices';
import {
  type ConfigObject,
  type ConfigPath,
  type ConfigValue,
  isObject,
  getMember,
  withoutMember,
} from './configValue';
import { applyPrefix, ModifiedImport } from './applyMods';
import {
  toConfig,
  copySection,
  mergeSections,
  pathTo,
  type Sections,
  toSections,
} from './configSections';
import {
  fillVariablesInSteps,
  type FragmentImport,
  type FragmentMods,
  isTooDeep,
  parseImports,
  parseMods,
  type Report,
  type ResolveProblem,
} from './fragmentImport';

/**
 * Returns a fragment's config at a given version, which is a revision or tag; undefined if it can't
 * be read. If no version is given, returns the newest config.
 */
export type FragmentLookup = (id: string, version: string | undefined) => ConfigValue | undefined;

/** Origin of an entry in the resolved config. */
export interface Origin {
  readonly path: ConfigPath;
  /** IDs of the fragments that contributed the entry, outermost first. */
  readonly fragments: readonly string[];
}

export interface ResolvedConfig {
  /**
   * Resolved config. The config's own keys come first, followed by those of the fragments in the
   * order in which they are used.
   */
  readonly config: ConfigObject;
  readonly origins: readonly Origin[];
  readonly problems: readonly ResolveProblem[];
}

/** Maximum nesting depth of fragments. */
export const MAX_NESTING = 5;

// Limits that are far higher than fleets need. Nested uses multiply, especially in a malicious
// config.
const MAX_IMPORTS = 2_000;
const MAX_VALUES = 200_000;
const MAX_PROBLEMS = 200;

export interface ResolveOptions {
  /**
   * ID of the fragment whose config is resolved; undefined for a part. A fragment can't contain
   * itself, counts as a level, and keeps its variables, because only the parts that use it provide
   * their values.
   */
  readonly fragmentId?: string | undefined;
}

/**
 * Resolves a config with its fragments. Never throws. Imports that can't be resolved remain in the
 * `fragments` of the result and are reported in `problems`.
 */
export function resolveConfig(
  config: unknown,
  lookup: FragmentLookup,
  options?: ResolveOptions,
): ResolvedConfig {
  return atOnce(resolveConfigInSteps(config, lookup, options));
}

/** Does the same as `resolveConfig`, in steps. */
export function resolveConfigInSteps(
  config: unknown,
  lookup: FragmentLookup,
  { fragmentId }: ResolveOptions = {},
): Steps<ResolvedConfig> {
  return new Resolution(lookup, fragmentId === undefined ? [] : [fragmentId]).run(config);
}

/** Import whose fragment has been read but not merged yet. */
interface LoadedImport {
  readonly use: FragmentImport;
  sections: Sections;
}

/**
 * Current position in the resolution: the enclosing fragments, and the import in the given config
 * that leads to this position.
 */
interface ResolveContext {
  readonly chain: readonly string[];
  readonly outer: ConfigPath | undefined;
}

type Steps<T> = Generator<undefined, T, void>;

class Resolution {
  private readonly problems: ResolveProblem[] = [];
  private imports = 0;
  private values = 0;
  private full = false;

  /** @param owner ID of the fragment whose config is resolved; empty for a part. */
  constructor(
    private readonly lookup: FragmentLookup,
    private readonly owner: readonly string[],
  ) {}

  *run(config: unknown): Steps<ResolvedConfig> {
    const top: ResolveContext = { chain: this.owner, outer: undefined };
    const report = this.reporter(top);
    if (!isObject(config)) report('notAnObject', []);
    const reportCopy: Report = (kind, ...problem) => {
      if (kind !== 'variableOutsideFragment' || this.owner.length === 0) report(kind, ...problem);
    };
    const copy = yield* this.copy(isObject(config) ? config : {}, {}, reportCopy, true);
    const sections = yield* this.resolve(isObject(copy) ? copy : {}, top);
    const origins = [...sections].flatMap(([key, section]): Origin[] =>
      section.kind === 'list'
        ? section.entries.map(({ from }, index) => ({ path: [key, index], fragments: from }))
        : [{ path: [key], fragments: section.entry.from }],
    );
    return {
      config: toConfig(sections),
      origins: origins.filter(({ fragments }) => fragments.length > 0),
      problems: this.problems,
    };
  }

  private *resolve(config: ConfigObject, context: ResolveContext): Steps<Sections> {
    const report = this.reporter(context);
    const sections = toSections(withoutMember(withoutMember(config, 'fragments'), 'fragment_mods'));
    const mods = parseMods(config, report);
    const left: ConfigValue[] = [];
    const seen = new Set<string>();
    const loadedImports: LoadedImport[] = [];
    for (const use of parseImports(config, report)) {
      if (use.disabled) continue;
      const key = JSON.stringify([use.id, use.prefix]);
      const inner = seen.has(key) ? undefined : yield* this.bring(use, context);
      if (seen.has(key)) report('duplicateImport', ['fragments', use.index], use.id);
      if (inner === undefined) left.push(use.written);
      else loadedImports.push({ use, sections: inner });
      seen.add(key);
      yield;
    }
    this.reportStrayMods(config, mods, report);
    for (const [id, changes] of mods) {
      this.modify(id, changes, loadedImports, report);
      yield;
    }
    const all: Sections = new Map();
    for (const { use, sections: inner } of loadedImports) {
      yield;
      mergeSections(all, inner, (kind, subject) => {
        report(kind, ['fragments', use.index], subject);
      });
    }
    if (left.length > 0) {
      const entries = left.map((value) => ({ value, from: [] }));
      sections.set('fragments', { kind: 'list', entries });
    }
    const own = new Map(sections);
    mergeSections(sections, all, (kind, subject, retained) => {
      // A config that overrides a fragment's value does so intentionally, but a duplicate name is a
      // mistake.
      if (kind === 'duplicateName') report(kind, retained ? pathTo(retained, own) : [], subject);
    });
    return sections;
  }

  /**
   * Returns the contents of an import with its prefix applied; undefined if the import can't be
   * resolved.
   */
  private *bring(use: FragmentImport, context: ResolveContext): Steps<Sections | undefined> {
    const path = ['fragments', use.index];
    const report = this.reporter(context);
    this.imports += 1;
    if (this.imports > MAX_IMPORTS || this.full) {
      this.stop(report, path);
      return undefined;
    }
    const config = this.read(use, context, (kind) => {
      report(kind, path, use.id);
    });
    if (config === undefined) return undefined;
    const inner: ResolveContext = {
      chain: [...context.chain, use.id],
      outer: context.outer ?? path,
    };
    const filled = yield* this.copy(config, use.variables, this.reporter(inner), false, (name) => {
      report('unknownVariable', [...path, 'variables', name], name);
    });
    const sections = yield* this.resolve(isObject(filled) ? filled : {}, inner);
    for (const section of sections.values()) {
      const entries = section.kind === 'list' ? section.entries : [section.entry];
      for (const entry of entries) entry.from = [use.id, ...entry.from];
    }
    if (use.prefix !== '') applyPrefix(sections, use.prefix);
    return sections;
  }

  private read(
    { id, version }: FragmentImport,
    { chain }: ResolveContext,
    reject: (kind: 'cycle' | 'tooDeep' | 'unknownFragment') => void,
  ): ConfigValue | undefined {
    const isCycle = chain.includes(id);
    if (isCycle) reject('cycle');
    else if (chain.length >= MAX_NESTING) reject('tooDeep');
    if (isCycle || chain.length >= MAX_NESTING) return undefined;
    const config = this.lookup(id, version);
    if (config === undefined) reject('unknownFragment');
    return config;
  }

  /**
   * Applies the changes to all imports of a fragment. A path can exist in one import and not in
   * another. A path that doesn't exist in any import is a mistake.
   */
  private modify(
    id: string,
    { mods, isInvalid }: FragmentMods,
    loadedImports: readonly LoadedImport[],
    report: Report,
  ): void {
    const uses = loadedImports.filter(({ use }) => use.id === id);
    if (uses.length === 0) return;
    const modified = uses.map(({ use, sections }) => {
      const copy: Sections = new Map(
        [...sections].map(([key, section]) => [key, copySection(section)]),
      );
      return { copy, missed: new Set(new ModifiedImport(copy, use.prefix).apply(mods)) };
    });
    const lost = mods.filter((mod) => modified.every(({ missed }) => missed.has(mod)));
    for (const { path, operation } of lost) report('modTargetMissing', path, operation.target);
    if (isInvalid || lost.length > 0) return;
    uses.forEach((use, index) => (use.sections = modified[index]?.copy ?? use.sections));
  }

  private reportStrayMods(
    config: ConfigObject,
    mods: ReadonlyMap<string, FragmentMods>,
    report: Report,
  ): void {
    const known = new Set(parseImports(config).map(({ id }) => id));
    for (const [id, { index }] of mods) {
      if (!known.has(id)) report('modWithoutImport', ['fragment_mods', index, 'fragment_id'], id);
    }
  }

  /** Copies a config, fills in its variables, and counts the copied values. */
  private *copy(
    config: ConfigValue,
    values: ConfigObject,
    report: Report,
    isOutside: boolean,
    reportUnknown: (name: string) => void = () => undefined,
  ): Steps<ConfigValue> {
    const used = new Set<string>();
    const copied = yield* fillVariablesInSteps(
      config,
      ({ name, defaultValue }, path) => {
        used.add(name);
        const value = Object.hasOwn(values, name) ? getMember(values, name) : defaultValue;
        if (isOutside) report('variableOutsideFragment', path, name);
        else if (value === undefined) report('missingVariable', path, name);
        return isOutside ? undefined : value;
      },
      (path) => this.canCopy(path, report),
    );
    for (const name of Object.keys(values)) if (!used.has(name)) reportUnknown(name);
    return copied;
  }

  private canCopy(path: ConfigPath, report: Report): boolean {
    this.values += 1;
    if (isTooDeep(path)) report('valueTooDeep', path);
    else if (this.values > MAX_VALUES) this.stop(report, path);
    return !isTooDeep(path) && !this.full;
  }

  private stop(report: Report, path: ConfigPath): void {
    if (!this.full) report('tooLarge', path);
    this.full = true;
  }

  private reporter({ chain, outer }: ResolveContext): Report {
    return (kind, path, subject = '') => {
      // After the resolution stops early, further problems don't indicate mistakes in the config.
      if (this.problems.length >= MAX_PROBLEMS || this.full) return;
      const fragments = chain.slice(this.owner.length);
      this.problems.push({ kind, path: outer ?? [...path], fragments, subject });
    };
  }
}
