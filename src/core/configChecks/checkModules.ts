import type { Localizer } from '../../base/localizer';
import { nearestName } from '../../base/nearestName';
import {
  type ConfigObject,
  getMember,
  isList,
  isObject,
  type SyntaxNode,
} from '../fragments/configValue';
import type { RegistryItem } from '../model/registryItem';
import {
  type ConfigDiagnostic,
  type ConfigNode,
  elementsOf,
  literalString,
  membersOf,
} from './configDiagnostic';
import { LATEST, TRIPLET } from './ruleTables';
import { compareModuleVersion } from './moduleVersion';
import { classify } from './severityPolicy';

/**
 * Modules that were read from the registry, by ID. The value is undefined if the registry has no
 * such module, or if the API key doesn't have permission to read it. Modules that couldn't be read
 * for another reason are absent.
 */
export type KnownModules = ReadonlyMap<string, RegistryItem | undefined>;

interface ModuleCheckOptions {
  /** The resolved config. */
  readonly resolved: ConfigObject;
  readonly modules: KnownModules;
  /** True for a fragment config, whose models can come from modules of the machines that use it. */
  readonly isFragment?: boolean;
  /** Translates messages. */
  readonly l10n: Localizer;
}

/**
 * Compares the modules and models in a config with the registry. Reports modules and versions that
 * don't exist, newer versions, deprecated versions, and models that no module provides. Checks an
 * entry only if it is in the text itself and everything that it depends on was read.
 */
export function* checkModulesInSteps(
  tree: SyntaxNode,
  options: ModuleCheckOptions,
): Generator<undefined, ConfigDiagnostic[], void> {
  const sections = membersOf({ node: tree, path: [] });
  const list = (section: string): readonly ConfigNode[] => {
    const found = sections.get(section);
    return found ? elementsOf(found) : [];
  };
  const models = options.isFragment ? undefined : modelsOf(options);
  const found: ConfigDiagnostic[] = [];
  for (const entry of list('modules')) {
    found.push(...checkModule(entry, options));
    yield;
  }
  if (!models) return found;
  for (const entry of [...list('components'), ...list('services')]) {
    found.push(...checkModel(entry, models, options.l10n));
    yield;
  }
  return found;
}

function checkModule(
  entry: ConfigNode,
  { modules, l10n }: ModuleCheckOptions,
): readonly ConfigDiagnostic[] {
  const members = membersOf(entry);
  const id = members.get('module_id');
  const written = literalString(id);
  if (!id || written === undefined || !modules.has(written)) return [];
  const module = modules.get(written);
  if (module) return checkVersion(members.get('version'), module, l10n);
  const message = l10n.t(
    "The module {0} doesn't exist, or you don't have permission to read it. Check its ID.",
    written,
  );
  return [{ ...classify('unknownModule'), message, ...rangeOf(id) }];
}

function checkVersion(
  member: ConfigNode | undefined,
  module: RegistryItem,
  l10n: Localizer,
): readonly ConfigDiagnostic[] {
  const written = literalString(member);
  if (!member || !written) return [];
  const { state, deprecated, replacement } = compareModuleVersion(written, module);
  const fix = { ...rangeOf(member), replacement: replacement && JSON.stringify(replacement) };
  switch (state) {
    case 'current':
      return [];
    case 'unknown': {
      const { name } = module;
      const message =
        replacement === undefined
          ? l10n.t('{0} has no version {1}.', name, written)
          : l10n.t('{0} has no version {1}. The latest one is {2}.', name, written, replacement);
      return [{ ...classify('unknownVersion'), message, ...fix }];
    }
    case 'deprecated': {
      const message = l10n.t('Version {0} is deprecated: {1}', written, deprecated ?? '');
      return [{ ...classify('deprecatedVersion'), message, ...fix }];
    }
    case 'outdated': {
      const message = l10n.t('Version {0} is available.', replacement ?? '');
      return [{ ...classify('newerVersion'), message, ...fix }];
    }
  }
}

/**
 * Returns the models from all modules in a config; undefined if the list would be incomplete
 * because a module is local or wasn't read, or because a fragment is missing.
 */
function modelsOf({ resolved, modules }: ModuleCheckOptions): ReadonlySet<string> | undefined {
  const fragments = getMember(resolved, 'fragments');
  if (isList(fragments) && fragments.length > 0) return undefined;
  const entries = getMember(resolved, 'modules');
  if (!isList(entries) || entries.length === 0) return undefined;
  const models = new Set<string>();
  for (const entry of entries) {
    const id = isObject(entry) ? getMember(entry, 'module_id') : undefined;
    const module = typeof id === 'string' ? modules.get(id) : undefined;
    // Some modules determine their models only at startup and don't publish them.
    if (!module || module.models.length === 0) return undefined;
    // The models in the registry are those of the module's latest version.
    const version = isObject(entry) ? getMember(entry, 'version') : undefined;
    const isPinned = typeof version === 'string' && version !== '' && !LATEST.includes(version);
    if (isPinned && version !== module.versions[0]?.version) return undefined;
    for (const { model } of module.models) models.add(model);
  }
  return models;
}

function checkModel(
  entry: ConfigNode,
  models: ReadonlySet<string>,
  l10n: Localizer,
): readonly ConfigDiagnostic[] {
  const members = membersOf(entry);
  if (members.get('disabled')?.node.value === true) return [];
  const member = members.get('model');
  const model = literalString(member);
  if (!member || model === undefined || !TRIPLET.test(model)) return [];
  if (model.startsWith('rdk:') || models.has(model)) return [];
  const nearest = nearestName(model, models);
  const message =
    nearest === undefined
      ? l10n.t('No module of this config provides the model "{0}".', model)
      : l10n.t(
          'No module of this config provides the model "{0}". Did you mean "{1}"?',
          model,
          nearest,
        );
  const replacement = nearest && JSON.stringify(nearest);
  return [{ ...classify('modelWithoutModule'), message, ...rangeOf(member), replacement }];
}

function rangeOf({ node, path }: ConfigNode): Pick<ConfigDiagnostic, 'offset' | 'length' | 'path'> {
  return { offset: node.offset, length: node.length, path };
}
