import type { Localizer } from '../../base/localizer';
import { nearestName } from '../../base/nearestName';
import { atOnce } from '../../base/slices';
import { parseStrictTree } from '../documents/jsonText';
import { getMember, isList, type SyntaxNode } from '../fragments/configValue';
import { nestsTooDeep } from '../documents/resolvedText';
import type { ResolvedConfig } from '../fragments/resolveConfig';
import {
  type ConfigDiagnostic,
  type ConfigNode,
  type ConfigProblem,
  elementsOf,
  listMembers,
  literalString,
  membersOf,
} from './configDiagnostic';
import { configSchema, elementSchema, keySchemas, type ValueSchema } from './configSchema';
import {
  API_KINDS,
  API_TYPES,
  MAX_NAME_LENGTH,
  MIN_SIMILAR_LENGTH,
  MODEL_NAME,
  NAME,
  TRIPLET,
  UNIQUE,
} from './ruleTables';
import { findCycles } from './findCycles';
import {
  allResourceNames,
  frameIds,
  type ResourceNames,
  resourceNamesInSteps,
} from './resourceNames';
import { findSectionProblems } from './sectionRules';
import { classify } from './severityPolicy';
import { findLimitProblems, findStructureProblems } from './structureRules';
import { findTypeProblems } from './typeRules';
import { createInvalidName } from './valueRules';
import { findEntryProblems } from './entryRules';

export interface CheckOptions {
  /** Resolved config; undefined to check only the config's own text. */
  readonly resolved: Pick<ResolvedConfig, 'config'> | undefined;
  /**
   * True for a fragment config. A fragment can refer to resources on the machines that use it, so
   * unknown names are reported only as hints.
   */
  readonly isFragment: boolean;
  /**
   * True to check the types of values, too. VS Code does this itself, with the schema of configs.
   */
  readonly hasTypeChecks?: boolean;
  /** Names in the config's own text, if they are known. */
  readonly names?: ResourceNames;
  /** Translates messages. */
  readonly l10n: Localizer;
}

/**
 * Duration of a slice of the checks in milliseconds. With garbage collection, a slice takes up to
 * 20 ms.
 */
export const CHECK_SLICE_MS = 10;
/** Maximum number of diagnostics for one config. More diagnostics wouldn't be helpful. */
const MAX_DIAGNOSTICS = 500;
/** Maximum number of names that are compared with unknown names to find similar ones. */
const MAX_COMPARISONS = 10_000;
/** Number of names that are compared in one step. */
const STEP_NAMES = 250;

/**
 * Checks a text synchronously, as `checkConfigInSteps` does. Text that isn't strict JSON has no
 * diagnostics, because the editor marks its errors.
 */
export function checkConfig(text: string, options: CheckOptions): ConfigDiagnostic[] {
  const tree = parseStrictTree(text);
  if (!tree) return [];
  if (nestsTooDeep(tree)) return checkDepth(tree, options.l10n);
  return atOnce(checkConfigInSteps(tree, options));
}

/**
 * Finds mistakes in a config that a machine would report, or silently ignore, when it loads the
 * config. Unknown keys are allowed, and values with environment variables or fragment variables
 * aren't checked, because only the machine knows them. Each step takes a few milliseconds at most.
 *
 * @returns the diagnostics in the order of the text
 */
export function* checkConfigInSteps(
  tree: SyntaxNode,
  options: CheckOptions,
): Generator<undefined, ConfigDiagnostic[], void> {
  if (tree.type !== 'object') return [];
  return yield* new ConfigCheck({ node: tree, path: [] }, options).run();
}

/** Returns the diagnostic for a config that is nested so deeply that nothing else is checked. */
function checkDepth(tree: SyntaxNode, l10n: Localizer): ConfigDiagnostic[] {
  const config = { node: tree, path: [] };
  return [...findLimitProblems(config, l10n)].flatMap((problem) =>
    problem ? [toDiagnostic(problem)] : [],
  );
}

function toDiagnostic({
  code,
  isUncertain,
  at,
  mark = at.node,
  ...rest
}: ConfigProblem): ConfigDiagnostic {
  const { offset, length } = mark;
  return { ...classify(code, isUncertain), ...rest, path: at.path, offset, length };
}

class ConfigCheck {
  private readonly found: ConfigDiagnostic[] = [];
  /** Offsets of the values that the service rejects. */
  private readonly rejected = new Set<number>();
  private readonly l10n: Localizer;

  constructor(
    private readonly config: ConfigNode,
    private readonly options: CheckOptions,
  ) {
    this.l10n = options.l10n;
  }

  *run(): Generator<undefined, ConfigDiagnostic[], void> {
    const { l10n, hasTypeChecks = false } = this.options;
    yield* this.addAll(findLimitProblems(this.config, l10n));
    for (const problem of findStructureProblems(this.config, l10n)) {
      if (problem) {
        this.rejected.add(problem.at.node.offset);
        if (hasTypeChecks || problem.code === 'rejectedName') this.add(problem);
      }
      yield;
    }
    if (hasTypeChecks) yield* this.addAll(findTypeProblems(this.config, this.rejected, l10n));
    yield* this.addAll(findSectionProblems(this.config, l10n));
    yield* this.checkKeys(this.config, configSchema);
    const sections = membersOf(this.config);
    for (const [section, list] of sections) {
      const entries = elementsOf(list).filter(({ node }) => node.type === 'object');
      for (const entry of entries) {
        yield* this.addAll(findEntryProblems(section, entry, l10n));
      }
      yield* this.checkUnique(section, entries);
    }
    for (const section of ['components', 'services'] as const) {
      const list = sections.get(section);
      for (const entry of list ? elementsOf(list) : []) {
        this.checkApi(section, entry);
        this.checkModel(entry);
        yield;
      }
    }
    const names = this.options.names ?? (yield* resourceNamesInSteps(this.config));
    yield* this.checkResourceNames(names);
    yield* this.checkReferences(names);
    yield* this.checkCycles(names);
    return this.found.toSorted((a, b) => a.offset - b.offset);
  }

  private get isFull(): boolean {
    return this.found.length >= MAX_DIAGNOSTICS;
  }

  private add(problem: ConfigProblem): void {
    if (!this.isFull) this.found.push(toDiagnostic(problem));
  }

  /** Adds the problems of a rule. The rule also yields between steps without a problem. */
  private *addAll(problems: Iterable<ConfigProblem | undefined>): Generator<undefined, void, void> {
    for (const problem of problems) {
      if (problem) this.add(problem);
      yield;
    }
  }

  /**
   * Reports keys that are similar to a key in the schema, at any depth that the schema describes.
   */
  private *checkKeys(value: ConfigNode, schema: ValueSchema): Generator<undefined, void, void> {
    if (value.node.type === 'array') {
      const elements = elementSchema(schema);
      if (elements.length === 0) return;
      for (const one of elementsOf(value)) yield* this.checkKeys(one, elements);
      return;
    }
    if (value.node.type !== 'object') return;
    yield;
    const known = keySchemas(schema);
    if (known.size === 0) return;
    for (const [key, member] of listMembers(value)) {
      const inner = known.get(key);
      if (inner) {
        yield* this.checkKeys(member, inner);
        continue;
      }
      // Go programs ignore the case of keys.
      const lowerCase = key.toLowerCase();
      if ([...known.keys()].some((one) => one.toLowerCase() === lowerCase)) continue;
      const members = membersOf(value);
      const unused = [...known.keys()].filter((one) => !members.has(one));
      const nearest = this.isFull ? undefined : findIntendedKey(key, unused);
      if (nearest === undefined) continue;
      this.add({
        code: 'misspelledKey',
        at: member,
        mark: member.keyNode,
        message: this.l10n.t(
          '{0} has no effect here. Did you mean {1}?',
          JSON.stringify(key),
          JSON.stringify(nearest),
        ),
        replacement: JSON.stringify(nearest),
      });
    }
  }

  private *checkUnique(
    section: string,
    entries: readonly ConfigNode[],
  ): Generator<undefined, void, void> {
    const key = UNIQUE.get(section);
    if (key === undefined) return;
    const seen = new Set<string>();
    for (const entry of entries) {
      const member = membersOf(entry).get(key);
      const name = literalString(member);
      if (!member || name === undefined) continue;
      if (seen.has(name)) this.addDuplicate(member, name);
      seen.add(name);
      yield;
    }
  }

  private addDuplicate(at: ConfigNode, name: string): void {
    const message = this.l10n.t('The name "{0}" is used twice. Only one entry is loaded.', name);
    this.add({ code: 'duplicateName', at, message });
  }

  private checkApi(section: 'components' | 'services', entry: ConfigNode): void {
    const members = membersOf(entry);
    const api = members.get('api');
    const written = literalString(api);
    if (api && written !== undefined) {
      this.checkApiTriplet(section, api, written);
      return;
    }
    const type = members.get('type');
    const name = literalString(type);
    const namespace = literalString(members.get('namespace')) ?? 'rdk';
    if (!type || name === undefined || name.includes(':') || namespace !== 'rdk') return;
    this.checkApiType(section, type, name, (nearest) => nearest);
  }

  private checkApiTriplet(
    section: 'components' | 'services',
    api: ConfigNode,
    written: string,
  ): void {
    const kind = API_KINDS[section];
    const [namespace = '', writtenKind = '', type = ''] = written.split(':');
    if (TRIPLET.test(written) && writtenKind === kind) {
      if (namespace !== 'rdk') return;
      this.checkApiType(section, api, type, (nearest) => `rdk:${kind}:${nearest}`);
      return;
    }
    const nearest = nearestName(
      written,
      API_TYPES[section].map((one) => `rdk:${kind}:${one}`),
    );
    const message = this.l10n.t(
      '"{0}" is not a valid API here. Use namespace:{1}:type, for example rdk:{1}:generic.',
      written,
      kind,
    );
    const replacement = nearest && JSON.stringify(nearest);
    this.add({ code: 'invalidApi', at: api, message, replacement });
  }

  private checkApiType(
    section: 'components' | 'services',
    at: ConfigNode,
    type: string,
    write: (nearest: string) => string,
  ): void {
    const types = API_TYPES[section];
    if (types.includes(type)) return;
    const nearest = nearestName(type, types);
    const message =
      nearest === undefined
        ? this.l10n.t('"{0}" is not a built-in type. A module must provide it.', type)
        : this.l10n.t('Unknown type "{0}". Did you mean "{1}"?', type, nearest);
    // A module can define additional types, but a type that is this similar to a known type is
    // probably a mistake.
    const isUncertain = nearest === undefined;
    const replacement = nearest && JSON.stringify(write(nearest));
    this.add({ code: 'unknownApi', isUncertain, at, message, replacement });
  }

  private checkModel(entry: ConfigNode): void {
    const model = membersOf(entry).get('model');
    const written = literalString(model);
    if (!model || written === undefined) return;
    if (!MODEL_NAME.test(written) && !TRIPLET.test(written)) {
      const message = this.l10n.t(
        '"{0}" is not a valid model. Use the name of a built-in model, or namespace:family:name for a model from a module.',
        written,
      );
      this.add({ code: 'invalidModel', at: model, message });
      return;
    }
    const isFromModule = written.includes(':') && !written.startsWith('rdk:');
    if (!isFromModule || this.options.isFragment || this.hasModules()) return;
    if (membersOf(entry).get('disabled')?.node.value === true) return;
    const message = this.l10n.t(
      'The model "{0}" comes from a module, but the config has no modules. Add the module to "modules".',
      written,
    );
    this.add({ code: 'modelWithoutModule', at: model, message });
  }

  /** Returns true if the config has modules, or might have modules from fragments. */
  private hasModules(): boolean {
    const { resolved } = this.options;
    if (this.hasUnresolvedFragments()) return true;
    const own = membersOf(this.config).get('modules');
    const all = resolved && getMember(resolved.config, 'modules');
    return (own !== undefined && elementsOf(own).length > 0) || (isList(all) && all.length > 0);
  }

  private hasUnresolvedFragments(): boolean {
    const { resolved } = this.options;
    if (resolved) {
      const left = getMember(resolved.config, 'fragments');
      return isList(left) && left.length > 0;
    }
    const own = membersOf(this.config).get('fragments');
    return own !== undefined && elementsOf(own).length > 0;
  }

  private *checkResourceNames({ definitions }: ResourceNames): Generator<undefined, void, void> {
    const seen = new Map<string, Set<string>>();
    for (const { section, entry, name, text } of definitions) {
      if (!NAME.test(text) || text.length > MAX_NAME_LENGTH) {
        this.add(createInvalidName(name, text, MAX_NAME_LENGTH, this.l10n));
      }
      if (section === 'remotes') continue;
      const api = apiOf(entry, section);
      const others = seen.get(text) ?? new Set();
      const isRejected = this.rejected.has(name.node.offset);
      if (others.has(api) && !isRejected) {
        this.addDuplicate(name, text);
      } else if (others.size > 0 && !isRejected) {
        const message = this.l10n.t(
          'Another resource with a different API is also named "{0}", so references to this name are ambiguous.',
          text,
        );
        this.add({ code: 'sharedName', at: name, message });
      }
      seen.set(text, others.add(api));
      yield;
    }
  }

  private *checkReferences({
    definitions,
    references,
  }: ResourceNames): Generator<undefined, void, void> {
    if (this.hasUnresolvedFragments()) return;
    const { resolved } = this.options;
    const names = resolved ? allResourceNames(resolved.config) : new Set<string>();
    for (const { text } of definitions) names.add(text);
    const frames = yield* this.frameNames(names);
    const similar = [...names].filter((name) => name.length >= MIN_SIMILAR_LENGTH);
    // The names of a remote's resources aren't known, and references can omit the remote's name.
    const hasRemotes = definitions.some(({ section }) => section === 'remotes');
    const isUncertain = this.options.isFragment || hasRemotes;
    let compared = 0;
    for (const { kind, at, name, text, start } of references) {
      if (this.isFull) return;
      yield;
      if (kind === 'attribute' || name === '' || name === 'builtin') continue;
      if ((kind === 'frame' ? frames : names).has(name)) continue;
      // Comparing all names with all unknown names would take minutes in a huge config.
      const isSearched = compared < MAX_COMPARISONS;
      if (isSearched) compared += similar.length;
      const nearest = isSearched
        ? yield* findNearest(name, kind === 'frame' ? [...similar, 'world'] : similar)
        : undefined;
      const message =
        nearest === undefined
          ? this.l10n.t('This config has no component or service named "{0}".', name)
          : this.l10n.t(
              'This config has no component or service named "{0}". Did you mean "{1}"?',
              name,
              nearest,
            );
      const fixed = nearest && text.slice(0, start) + nearest + text.slice(start + name.length);
      const replacement = fixed && JSON.stringify(fixed);
      this.add({ code: 'unknownResource', isUncertain, at, message, replacement });
    }
  }

  /**
   * Returns the names of frames: of resources, of their origins, and of frames with explicit IDs.
   */
  private *frameNames(names: ReadonlySet<string>): Generator<undefined, ReadonlySet<string>, void> {
    const frames = new Set([...names, ...[...names].map((name) => `${name}_origin`), 'world']);
    for (const section of ['components', 'services']) {
      const list = membersOf(this.config).get(section);
      for (const entry of list ? elementsOf(list) : []) {
        const frame = membersOf(entry).get('frame');
        const id = literalString(frame && membersOf(frame).get('id'));
        if (id !== undefined) frames.add(id);
        yield;
      }
    }
    const { resolved } = this.options;
    for (const id of resolved ? frameIds(resolved.config) : []) frames.add(id);
    return frames;
  }

  /** Reports cycles of dependencies and of frame parents. */
  private *checkCycles(names: ResourceNames): Generator<undefined, void, void> {
    for (const { kind, cycle, at } of yield* findCycles(names)) {
      const message =
        kind === 'frame'
          ? this.l10n.t('The frame parents form a cycle: {0}.', cycle)
          : this.l10n.t('The dependencies form a cycle: {0}.', cycle);
      const code = kind === 'frame' ? 'frameCycle' : 'dependencyCycle';
      this.add({ code, at, message });
    }
  }
}

/** Returns the most similar name, in steps. */
function* findNearest(
  written: string,
  names: readonly string[],
): Generator<undefined, string | undefined, void> {
  const candidates: string[] = [];
  for (let start = 0; start < names.length; start += STEP_NAMES) {
    const nearest = nearestName(written, names.slice(start, start + STEP_NAMES));
    if (nearest !== undefined) candidates.push(nearest);
    yield;
  }
  return nearestName(written, candidates);
}

/** Returns the known key that was probably intended by a similar or abbreviated key. */
function findIntendedKey(key: string, known: readonly string[]): string | undefined {
  if (key.length < MIN_SIMILAR_LENGTH) return undefined;
  return nearestName(key, known) ?? known.find((one) => one.startsWith(key));
}

/** Returns an entry's API as a triplet. */
function apiOf(entry: ConfigNode, section: 'components' | 'services'): string {
  const members = membersOf(entry);
  const api = literalString(members.get('api'));
  if (api !== undefined) return api;
  const namespace = literalString(members.get('namespace')) ?? 'rdk';
  return `${namespace}:${API_KINDS[section]}:${literalString(members.get('type')) ?? ''}`;
}
