import type { ConnectionId } from '../../../../core/model/ids';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';

/** What commands are given of an item. */
export function targetOfItem(
  connectionId: ConnectionId,
  { id, organizationId, type, name }: RegistryItem,
): RegistryItemTarget {
  return {
    ...{ kind: 'registryItem', connectionId, organizationId },
    ...{ itemId: id, itemType: type, name },
  };
}
