import { parseRegistryReferences } from '../../core/fragments/registryReferences';
import { getPackageId } from '../messages/packageMessages';
import { getRegistryItemId } from '../messages/registryMessages';
import { listVersionSummaries } from '../store/packages';
import type { RegistryItemWithOwner } from '../store/registry';
import { listNamingConfigs } from '../store/registryUses';
import type { StoreAccess } from '../store/store';
import { describeDeletionBlockers } from './registryUsers';

/**
 * Returns a sentence that explains why a version can't be deleted; undefined if it can be deleted.
 * Configs that refer to the version prevent its deletion. If it is the only version, configs that
 * refer to its item also prevent it.
 */
export async function whatUsesVersion(
  access: StoreAccess,
  item: RegistryItemWithOwner,
  version: string,
): Promise<string | undefined> {
  const ids = [getRegistryItemId(item), `${item.organization_id}:${item.name}`];
  const isOnly = (await listVersionSummaries(access, [item.id])).length === 1;
  const users = (await listNamingConfigs(access, item.id)).filter(
    ({ config_json }) =>
      isOnly ||
      parseRegistryReferences(config_json).some(
        (reference) => ids.includes(reference.itemId) && reference.version === version,
      ),
  );
  return describeDeletionBlockers(
    item,
    users,
    `version ${version} of package "${getPackageId(item)}"`,
  );
}
