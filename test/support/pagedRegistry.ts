import { isMessage } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import { ListRegistryItemsResponseSchema } from '../../src/gen/viam/app/v1/registry_pb';
import type { OrganizationId, RegistryItemId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import type { MemoryFleet } from './memoryFleet';

/**
 * Returns a fleet that lists at most `pageSize` registry items in a response. This service lists all
 * items, but others have pages.
 */
export function withRegistryPages(fleet: MemoryFleet, pageSize: number): MemoryFleet {
  return {
    ...fleet,
    open: (connection, readKey) => {
      const opened = fleet.open(connection, readKey);
      const { transport: inner } = opened;
      const unary: Transport['unary'] = async (...call) => {
        const response = await inner.unary(...call);
        const { message } = response;
        if (isMessage(message, ListRegistryItemsResponseSchema)) message.items.splice(pageSize);
        return response;
      };
      const transport: Transport = { unary, stream: (...call) => inner.stream(...call) };
      return { ...opened, transport };
    },
  };
}

/** Registers a public module without versions, and returns its ID. */
export async function createPublicModule(
  { registry }: FleetStores,
  organization: OrganizationId,
  name: string,
): Promise<RegistryItemId> {
  const { id } = await registry.createModule(organization, name);
  await registry.updateModule(
    { id, organizationId: organization },
    { visibility: 'public', url: '', description: '', models: [], entrypoint: 'run.sh' },
  );
  return id;
}
