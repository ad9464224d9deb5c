import { type ConfigObject, type ConfigValue, isList, isObject, getMember } from './configValue';
import type { Report } from './resolveProblem';

/** Change that a config makes to the contents of a fragment. */
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
  /** True if one of the changes is invalid, in which case none of them are applied. */
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
