import type { JsonValue } from '../../documents/jsonTree';
import type { RegistryItem } from '../../model/registryItem';
import { freeName, getConfigList, textMember, withElement } from './configList';
import { type Deployment, moveUses, registryUse, type RegistryUse } from './moveUses';

const PACKAGES = 'packages';
/** Type of a model's package in configs. */
const ML_MODEL = 'ml_model';

/**
 * Returns the deployment that adds a model to configs. Configs refer to a package as
 * `organization-id/name`, or with the namespace instead of the organization ID.
 */
export function createModelDeployment(
  {
    namespace,
    organizationId,
    name,
    versions,
  }: Pick<RegistryItem, 'namespace' | 'organizationId' | 'name' | 'versions'>,
  version: string,
): Deployment {
  const others = namespace === '' ? [] : [`${namespace}/${name}`];
  return {
    ids: [`${organizationId}/${name}`, ...others],
    version,
    versions: versions.map((one) => one.version),
  };
}

/**
 * Returns the uses of a model in a config text. @throws FleetError `invalid` if its packages are
 * not a list.
 */
export function packageUses(configText: string, ids: readonly string[]): readonly RegistryUse[] {
  return usesIn(configText, ids).map(registryUse);
}

/**
 * Deploys the requested version of a package to a config: adds an entry, or changes the version if
 * the config already has the package (`moveUses`).
 * @param resolved the resolved config, whose names are also taken: a package with the same name
 *   would replace the package of a fragment
 * @throws FleetError `invalid` if the config's packages are not a list.
 */
export function deployPackage(
  configText: string,
  deployment: Deployment,
  resolved = configText,
): string {
  const { ids, version } = deployment;
  const moved = moveUses(configText, (text) => usesIn(text, ids), deployment);
  if (moved !== undefined) return moved;
  const [id] = ids;
  const name = freePackageName([configText, resolved], id);
  return withElement(configText, PACKAGES, { name, package: id, type: ML_MODEL, version });
}

/** Returns the prefix of paths in a package, which the machine software expands. */
export function packageFolder(name: string): string {
  return `\${packages.${ML_MODEL}.${name}}`;
}

function freePackageName(configTexts: readonly string[], id: string): string {
  const packages = configTexts.flatMap((text) => getConfigList(text, PACKAGES));
  const taken = new Set(packages.map((element) => textMember(element, 'name')));
  return freeName((id.split('/').at(-1) ?? id).replaceAll(/[^\w-]/g, '-'), taken);
}

function usesIn(configText: string, ids: readonly string[]): readonly JsonValue[] {
  return getConfigList(configText, PACKAGES).filter((element) =>
    ids.includes(textMember(element, 'package')),
  );
}
