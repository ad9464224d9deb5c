import type { Localizer } from '../../base/localizer';
import { checkConfig } from '../configChecks/checkConfig';
import { getEntryIdentity, toSections } from '../fragments/configSections';
import { isObject } from '../fragments/configValue';
import type { ResolvedConfig } from '../fragments/resolveConfig';
import { parseConfigText } from './resolvedText';

/** Sections whose entries a machine runs or loads. */
const RESOURCE_SECTIONS: readonly string[] = [
  'components',
  'services',
  'remotes',
  'modules',
  'packages',
  'processes',
  'jobs',
  'fragments',
];

/** Effects of a save that should be confirmed first. */
export interface SaveRisk {
  /** Names of the resources that the config no longer contains. */
  readonly removed: readonly string[];
  /** Messages of the problems that the saved config doesn't have. */
  readonly newProblems: readonly string[];
  /** Number of other parts that get the change, because they use the fragment. */
  readonly partCount: number;
}

/** Config as a text, and with its fragments applied if they are known. */
export interface ConfigVersion {
  readonly text: string;
  readonly resolved?: Pick<ResolvedConfig, 'config'> | undefined;
}

/**
 * Compares a config with the saved one. Without the resolved configs, a resource that moves to a
 * fragment counts as removed. Texts that aren't JSON objects have no risk, because they
 * can't be saved.
 */
export function findSaveRisk(
  saved: ConfigVersion,
  edited: ConfigVersion,
  options: { readonly isFragment: boolean; readonly partCount: number; readonly l10n: Localizer },
): SaveRisk {
  const { isFragment, partCount, l10n } = options;
  const check = ({ text, resolved }: ConfigVersion): readonly string[] =>
    checkConfig(text, { resolved, isFragment, l10n })
      .filter(({ severity }) => severity === 'error' || severity === 'warning')
      .map(({ message }) => message);
  return {
    removed: withoutEach(listResources(saved), listResources(edited)),
    newProblems: withoutEach(check(edited), check(saved)),
    partCount,
  };
}

/** Returns true if a save should be confirmed. */
export function isRisky({ removed, newProblems, partCount }: SaveRisk): boolean {
  return removed.length > 0 || newProblems.length > 0 || partCount > 0;
}

function listResources({ text, resolved }: ConfigVersion): readonly string[] {
  const config = resolved?.config ?? parseConfigText(text);
  if (config === undefined || !isObject(config)) return [];
  const sections = toSections(config);
  return RESOURCE_SECTIONS.flatMap((name) => {
    const section = sections.get(name);
    // The resolved config contains the resources of the fragments.
    if (section?.kind !== 'list' || (resolved && name === 'fragments')) return [];
    return section.entries.flatMap(({ value }) => {
      return typeof value === 'string' ? value : (getEntryIdentity(name, value) ?? []);
    });
  });
}

/** Returns `texts` without one occurrence of each of the others. */
function withoutEach(texts: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return texts.filter((text) => {
    const index = rest.indexOf(text);
    if (index === -1) return true;
    rest.splice(index, 1);
    return false;
  });
}
