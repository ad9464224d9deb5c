import type { ConnectionId } from './ids';
import type { RegistryItem } from './registryItem';
import type { RegistryItemTarget } from './resourceTarget';

/** Returns the target that commands receive for a registry item. */
export function registryItemTarget(
  connectionId: ConnectionId,
  { id, organizationId, type, name }: Pick<RegistryItem, 'id' | 'organizationId' | 'type' | 'name'>,
): RegistryItemTarget {
  return {
    ...{ kind: 'registryItem', connectionId, organizationId },
    ...{ itemId: id, itemType: type, name },
  };
}
