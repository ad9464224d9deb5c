import { englishLocalizer } from '../../../base/localizer';
import { FleetError } from '../../api/errors';
import { memberValue } from '../../documents/jsonMembers';
import { getElements, type JsonValue, parseJsonValue } from '../../documents/jsonTree';
import type { ModuleModel } from '../../model/registryItem';
import { textMember, withElement } from './configList';

/** Config sections for resources, by the second part of their API triplet. */
const SECTIONS: ReadonlyMap<string, string> = new Map([
  ['component', 'components'],
  ['service', 'services'],
]);

/**
 * Returns the section for an API such as `rdk:component:sensor`; undefined if configs have no
 * section for it.
 */
export function findApiSection(api: string): string | undefined {
  const [, kind = ''] = api.split(':');
  return SECTIONS.get(kind);
}

/** Returns true if a config already has a resource of this model in any section. */
export function usesModel(configText: string, { model }: ModuleModel): boolean {
  return listResources(configText).some((resource) => textMember(resource, 'model') === model);
}

/** Returns an unused name for a resource of this API, such as `sensor-1`. */
export function proposedName(configText: string, api: string): string {
  const subtype = api.split(':').at(-1) ?? '';
  const taken = resourceNames(configText);
  for (let number = 1; ; number += 1) {
    const name = `${subtype.replaceAll('_', '-')}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Returns the names of the components and services in a config. */
export function resourceNames(configText: string): ReadonlySet<string> {
  return new Set(listResources(configText).map((resource) => textMember(resource, 'name')));
}

/**
 * Adds a resource of a model to a config, without attributes, which the user enters.
 * @throws FleetError `invalid` if the API is neither a component nor a service, or if the config's
 *   value for the section isn't a list.
 */
export function addResource(
  configText: string,
  { api, model, name }: Pick<ModuleModel, 'api' | 'model'> & { readonly name: string },
  l10n = englishLocalizer,
): string {
  const section = findApiSection(api);
  if (!section) {
    const message = l10n.t('The API "{0}" is neither of a component nor of a service.', api);
    throw new FleetError('invalid', message);
  }
  return withElement(configText, section, { name, api, model, attributes: {} });
}

function listResources(configText: string): readonly JsonValue[] {
  const root = parseJsonValue(configText);
  if (root?.node.type !== 'object') return [];
  return [...SECTIONS.values()].flatMap((section) => {
    const list = memberValue(root, section);
    return (list && getElements(list)) ?? [];
  });
}
