import { createClient } from '@connectrpc/connect';
import { toConnectionId } from '../../src/core/model/connection';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import type { MemoryFleet } from './memoryFleet';

/**
 * Connects to the same fleet with a new key that has these roles: `[role, resource type, resource
 * id]`.
 */
export async function keyWithRoles(
  fleet: MemoryFleet,
  ...roles: readonly (readonly [
    'owner' | 'operator',
    'organization' | 'location' | 'robot',
    string,
  ])[]
): Promise<MemoryFleet> {
  const { key, baseUrl, organizationId } = fleet;
  const connection = {
    id: toConnectionId(key.id),
    label: '',
    baseUrl,
    keyId: key.id,
    kind: 'cloud',
  } as const;
  const { transport } = fleet.open(connection, () => Promise.resolve(key));
  const created = await createClient(AppService, transport).createKey({
    name: 'limited',
    authorizations: roles.map(([role, resourceType, resourceId]) => ({
      authorizationType: 'role',
      authorizationId: `${resourceType}_${role}`,
      resourceType,
      resourceId,
      organizationId,
      identityId: '',
      identityType: 'api-key',
    })),
  });
  return { ...fleet, key: { id: created.id, secret: created.key } };
}
