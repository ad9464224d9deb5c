import type { JsonValue } from '../../documents/jsonTree';
import type { RegistryItem } from '../../model/registryItem';
import { freeName, listOfConfig, textMember, withElement } from './configList';
import { type Deployment, moveUses, registryUse, type RegistryUse } from './moveUses';

const PACKAGES = 'packages';
/** What configs call the type of a model's package. */
const ML_MODEL = 'ml_model';

/** What puts a model into configs: packages are named `organization-id/name`, or with the namespace. */
export function modelDeploymentOf(
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

/** How a config text uses a model. @throws FleetError `invalid` when its packages are no list. */
export function packageUses(configText: string, ids: readonly string[]): readonly RegistryUse[] {
  return usesIn(configText, ids).map(registryUse);
}

/**
 * The text of a config that has the package in the wanted version: with an entry added, or with the
 * version changed where it is there already (`moveUses`).
 * @param resolved the same config with its fragments in place, whose names are taken, too: a package of
 *   the same name would take the place of theirs
 * @throws FleetError `invalid` when the config has something else where packages belong.
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

/** How paths into a package begin, which the machine's software fills in. */
export function packageFolder(name: string): string {
  return `\${packages.${ML_MODEL}.${name}}`;
}

function freePackageName(configTexts: readonly string[], id: string): string {
  const packages = configTexts.flatMap((text) => listOfConfig(text, PACKAGES));
  const taken = new Set(packages.map((element) => textMember(element, 'name')));
  return freeName((id.split('/').at(-1) ?? id).replaceAll(/[^\w-]/g, '-'), taken);
}

function usesIn(configText: string, ids: readonly string[]): readonly JsonValue[] {
  return listOfConfig(configText, PACKAGES).filter((element) =>
    ids.includes(textMember(element, 'package')),
  );
}
