import { atOnce } from '../../base/slices';
import {
  type ConfigObject,
  type ConfigPath,
  type ConfigValue,
  getMember,
  getStringMember,
  isList,
  isObject,
  toConfigObject,
} from './configValue';

/** Entry in a config's `fragments`, which imports a fragment. */
export interface FragmentImport {
  readonly id: string;
  /** Pinned revision or tag; undefined for the newest version. */
  readonly version: string | undefined;
  /** Prefix for the fragment's names; empty for none. */
  readonly prefix: string;
  readonly variables: ConfigObject;
  readonly disabled: boolean;
  /** Index of the entry in the list. */
  readonly index: number;
  /** Entry as written. */
  readonly written: ConfigValue;
}

/** Returns the fragment imports in a config, in order. Reports invalid entries. */
export function parseImports(config: unknown, report: Report = () => undefined): FragmentImport[] {
  const list = isObject(config) ? getMember(config, 'fragments') : undefined;
  if (list === undefined || list === null) return [];
  if (!isList(list)) {
    report('malformedImport', ['fragments']);
    return [];
  }
  return list.flatMap((written, index) => {
    const read = parseImport(written, index);
    if (!read) report('malformedImport', ['fragments', index]);
    return read ? [read] : [];
  });
}

/** Fragment in the version that a config uses. */
export type FragmentReference = Pick<FragmentImport, 'id' | 'version'>;

/** Returns the fragments that a config uses, in order. Skips disabled imports. */
export function listReferences(config: unknown): FragmentReference[] {
  return parseImports(config).filter(({ disabled }) => !disabled);
}

/** Returns a key that identifies a fragment in one version. */
export function toReferenceKey({ id, version }: FragmentReference): string {
  return JSON.stringify([id, version ?? '']);
}

/** Returns the IDs of the fragments that a config imports, in order and without duplicates. */
export function listImportedIds(config: unknown): string[] {
  return [...new Set(parseImports(config).map(({ id }) => id))];
}

function parseImport(written: ConfigValue, index: number): FragmentImport | undefined {
  const entry = typeof written === 'string' ? { id: written } : written;
  if (!isObject(entry)) return undefined;
  const id = getMember(entry, 'id');
  if (typeof id !== 'string' || id === '') return undefined;
  const variables = getMember(entry, 'variables');
  return {
    id,
    version: getStringMember(entry, 'version') || undefined,
    prefix: getStringMember(entry, 'prefix'),
    variables: isObject(variables) ? variables : {},
    disabled: getMember(entry, 'disabled') === true,
    index,
    written,
  };
}

/** Change that a config makes to a fragment's contents. */
export type ModOperation =
  | { readonly kind: 'set'; readonly target: string; readonly value: ConfigValue }
  | { readonly kind: 'unset'; readonly target: string }
  | { readonly kind: 'rename'; readonly target: string; readonly to: string };

export interface Mod {
  readonly operation: ModOperation;
  /** Path of this change in the config. */
  readonly path: readonly (string | number)[];
}

/** Changes that a config makes to one fragment. */
export interface FragmentMods {
  readonly mods: readonly Mod[];
  /** True if one of the changes is invalid, in which case none of the changes are applied. */
  readonly isInvalid: boolean;
  /** Index of the first entry for this fragment in `fragment_mods`. */
  readonly index: number;
}

/**
 * Returns the changes in a config's `fragment_mods` by fragment ID, in order. Reports invalid
 * entries.
 */
export function parseMods(config: ConfigObject, report: Report): ReadonlyMap<string, FragmentMods> {
  const found = new Map<string, FragmentMods>();
  const list = getMember(config, 'fragment_mods') ?? [];
  if (!isList(list)) {
    report('malformedMod', ['fragment_mods']);
    return found;
  }
  list.forEach((entry, index) => {
    const id = isObject(entry) ? getMember(entry, 'fragment_id') : undefined;
    const mods = isObject(entry) ? getMember(entry, 'mods') : undefined;
    if (typeof id !== 'string' || !isList(mods)) {
      report('malformedMod', ['fragment_mods', index]);
      return;
    }
    const read = readMods(mods, index, report);
    const known = found.get(id);
    found.set(id, {
      mods: [...(known?.mods ?? []), ...read.mods],
      isInvalid: read.isInvalid || known?.isInvalid === true,
      index: known?.index ?? index,
    });
  });
  return found;
}

function readMods(
  written: readonly ConfigValue[],
  entry: number,
  report: Report,
): Pick<FragmentMods, 'mods' | 'isInvalid'> {
  const mods: Mod[] = [];
  let isInvalid = false;
  const fail: Report = (...problem) => {
    isInvalid = true;
    report(...problem);
  };
  written.forEach((mod, index) => {
    const at = ['fragment_mods', entry, 'mods', index];
    if (!isObject(mod)) fail('malformedMod', at);
    for (const [operator, targets] of Object.entries(isObject(mod) ? mod : {})) {
      if (!isObject(targets)) fail('malformedMod', [...at, operator]);
      else mods.push(...readOperator(operator, targets, [...at, operator], fail));
    }
  });
  return { mods, isInvalid };
}

function readOperator(
  operator: string,
  targets: ConfigObject,
  at: readonly (string | number)[],
  fail: Report,
): Mod[] {
  if (operator !== '$set' && operator !== '$unset' && operator !== '$rename') {
    fail('unsupportedOperator', at, operator);
    return [];
  }
  return Object.entries(targets).flatMap(([target, value]): Mod[] => {
    const path = [...at, target];
    if (operator === '$set') return [{ operation: { kind: 'set', target, value }, path }];
    if (operator === '$unset') return [{ operation: { kind: 'unset', target }, path }];
    if (typeof value === 'string') {
      return [{ operation: { kind: 'rename', target, to: value }, path }];
    }
    fail('malformedMod', path);
    return [];
  });
}

/** `$variable` placeholder, whose value is provided by the config that uses the fragment. */
export interface Variable {
  readonly name: string;
  /** Default value; undefined if a value is required. */
  readonly defaultValue: ConfigValue | undefined;
}

/** Returns the value for a placeholder; undefined to leave the placeholder unchanged. */
export type FillVariable = (variable: Variable, path: ConfigPath) => ConfigValue | undefined;

/**
 * Called before each value is copied, so that copying a malicious config can be stopped. The path
 * is valid only during the call.
 */
export type MayCopy = (path: ConfigPath) => boolean;

/**
 * Maximum nesting depth of a config. The service accepts 30 levels, and the call stack allows far
 * more than this limit.
 */
export const MAX_DEPTH = 100;

export function isTooDeep(path: ConfigPath): boolean {
  return path.length > MAX_DEPTH;
}

/** Number of values per step. */
const STEP_VALUES = 1000;

/**
 * Returns a value with its `$variable` placeholders filled in. Doesn't process inserted values
 * again. Values without placeholders aren't copied.
 */
export function fillVariables(
  value: ConfigValue,
  fill: FillVariable,
  canCopy?: MayCopy,
): ConfigValue {
  return atOnce(fillVariablesInSteps(value, fill, canCopy));
}

/** Does the same as `fillVariables`, in steps. */
export function* fillVariablesInSteps(
  value: ConfigValue,
  fill: FillVariable,
  canCopy: MayCopy = (at) => !isTooDeep(at),
): Generator<undefined, ConfigValue, void> {
  // One path for all values, because a copy for each would take most of the time.
  const path: (string | number)[] = [];
  let count = 0;
  function* copy(one: ConfigValue): Generator<undefined, ConfigValue, void> {
    if (!canCopy(path)) return null;
    if (isList(one)) return yield* copyList(one);
    return isObject(one) ? yield* copyObject(one) : one;
  }
  /** Copies a value without inner values. A generator for each would take most of the time. */
  const copyLeaf = (step: string | number, leaf: ConfigValue): ConfigValue => {
    path.push(step);
    const copied = canCopy(path) ? leaf : null;
    path.pop();
    return copied;
  };
  function* copyAt(
    step: string | number,
    inner: ConfigValue,
  ): Generator<undefined, ConfigValue, void> {
    path.push(step);
    const copied = yield* copy(inner);
    path.pop();
    return copied;
  }
  const isLeaf = (one: ConfigValue): boolean => {
    count += 1;
    return !isList(one) && !isObject(one);
  };
  function* copyList(list: readonly ConfigValue[]): Generator<undefined, ConfigValue, void> {
    let changed: ConfigValue[] | undefined;
    for (const [index, element] of list.entries()) {
      if (count % STEP_VALUES === 0) yield;
      const copied = isLeaf(element) ? copyLeaf(index, element) : yield* copyAt(index, element);
      if (copied !== element) changed ??= [...list];
      if (changed) changed[index] = copied;
    }
    return changed ?? list;
  }
  function* copyObject(object: ConfigObject): Generator<undefined, ConfigValue, void> {
    const variable = parseVariable(object);
    const filled = variable && fill(variable, [...path]);
    if (filled !== undefined) return filled;
    let changed: Map<string, ConfigValue> | undefined;
    for (const key of Object.keys(object)) {
      const member = object[key] ?? null;
      if (count % STEP_VALUES === 0) yield;
      const copied = isLeaf(member) ? copyLeaf(key, member) : yield* copyAt(key, member);
      if (copied === member) continue;
      changed ??= new Map(Object.entries(object));
      changed.set(key, copied);
    }
    return changed ? toConfigObject(changed) : object;
  }
  return yield* copy(value);
}

/** Returns the distinct variables in a fragment, in order of appearance. */
export function variablesIn(config: ConfigValue): readonly Variable[] {
  const found = new Map<string, Variable>();
  fillVariables(config, (variable) => {
    const known = found.get(variable.name);
    if (known?.defaultValue === undefined) found.set(variable.name, variable);
    return null;
  });
  return [...found.values()];
}

function parseVariable(value: ConfigObject): Variable | undefined {
  const placeholder = getMember(value, '$variable');
  const name = isObject(placeholder) ? getMember(placeholder, 'name') : undefined;
  if (!isObject(placeholder) || typeof name !== 'string' || name === '') return undefined;
  return { name, defaultValue: getMember(placeholder, 'default_value') };
}

/**
 * Reason that a config can't be resolved as is. The `subject` is:
 * - `notAnObject`, `malformedImport`, `malformedMod`, `valueTooDeep`, `tooLarge`: empty;
 * - `unknownFragment` (the fragment doesn't exist, or the key doesn't have permission to read it),
 *   `cycle`, `tooDeep`, `duplicateImport`, `modWithoutImport`: ID of the fragment;
 * - `missingVariable` (no value and no default), `unknownVariable` (the fragment has no such
 *   placeholder), `variableOutsideFragment`: name of the variable;
 * - `unsupportedOperator`: the operator; `modTargetMissing`: the nonexistent path;
 * - `duplicateName`, `conflictingValue`: the entry that two sides provide, such as
 *   `components.camera`.
 */
export type ResolveProblemKind =
  | 'notAnObject'
  | 'malformedImport'
  | 'unknownFragment'
  | 'cycle'
  | 'tooDeep'
  | 'duplicateImport'
  | 'missingVariable'
  | 'unknownVariable'
  | 'variableOutsideFragment'
  | 'malformedMod'
  | 'modWithoutImport'
  | 'unsupportedOperator'
  | 'modTargetMissing'
  | 'duplicateName'
  | 'conflictingValue'
  | 'valueTooDeep'
  | 'tooLarge';

export interface ResolveProblem {
  readonly kind: ResolveProblemKind;
  /**
   * Path in the given config at which the problem can be fixed; for a nested fragment, the path of
   * the import that includes it.
   */
  readonly path: ConfigPath;
  /** IDs of the enclosing fragments, outermost first; empty for the config itself. */
  readonly fragments: readonly string[];
  readonly subject: string;
}

/**
 * Reports a problem in the config or fragment that is being read; `path` is relative to that config
 * or fragment.
 */
export type Report = (kind: ResolveProblemKind, path: ConfigPath, subject?: string) => void;
