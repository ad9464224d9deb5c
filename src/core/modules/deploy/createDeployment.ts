import type { RegistryItem } from '../../model/registryItem';
import type { Deployment } from './moveUses';

/**
 * Returns the deployment that adds a module to configs. @param version a version, or a pin such as
 * `latest`
 */
export function createDeployment(
  item: Pick<RegistryItem, 'id' | 'namespace' | 'organizationId' | 'name' | 'versions'>,
  version: string,
): Deployment {
  return { ids: getModuleIds(item), version, versions: item.versions.map((one) => one.version) };
}

/**
 * Configs can refer to a module by the namespace of its organization or by the organization's ID.
 */
export function getModuleIds({
  id,
  namespace,
  organizationId,
  name,
}: Pick<RegistryItem, 'id' | 'namespace' | 'organizationId' | 'name'>): Deployment['ids'] {
  const owners = namespace === '' ? [organizationId] : [namespace, organizationId];
  return [id, ...owners.map((owner) => `${owner}:${name}`).filter((other) => other !== id)];
}
