import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { LocationAuth } from '../../gen/viam/app/v1/location_pb';
import { failedPrecondition, notFound } from '../errors';
import { locationAuthMessage } from '../messages/locationMessages';
import { lockRow } from '../store/rowLocks';
import { deleteSecret, type SecretOwner } from '../store/secrets';
import type { HandlerDependencies } from './handlerSupport';
import { describePart } from './partDescriptions';

type MachineSecretOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'locationAuth'
  | 'createLocationSecret'
  | 'deleteLocationSecret'
  | 'createRobotPartSecret'
  | 'deleteRobotPartSecret'
>;

/**
 * Maximum number of secrets. With a second secret, machines can switch before the first one is
 * deleted. A third secret would have no use.
 */
const MAX_SECRETS = 2;

/**
 * Handlers for the secrets of locations and parts, which machines use to authenticate (spec part
 * 3).
 */
export function machineSecretHandlers(dependencies: HandlerDependencies): MachineSecretOperations {
  const { store, machineSecrets } = dependencies;
  return {
    async locationAuth(request) {
      return { auth: await locationAuth(request.locationId) };
    },

    async createLocationSecret(request) {
      await add('location', request.locationId);
      return { auth: await locationAuth(request.locationId) };
    },

    async deleteLocationSecret(request) {
      await remove('location', request.locationId, request.secretId);
      return {};
    },

    async createRobotPartSecret(request, context) {
      await add('part', request.partId);
      return { part: await describePart(dependencies, request.partId, context) };
    },

    async deleteRobotPartSecret(request) {
      await remove('part', request.partId, request.secretId);
      return {};
    },
  };

  async function locationAuth(locationId: string): Promise<LocationAuth> {
    const secrets = await machineSecrets.listByOwner(store, 'location', [locationId]);
    return locationAuthMessage(locationId, secrets.get(locationId) ?? []);
  }

  async function add(owner: SecretOwner, ownerId: string): Promise<void> {
    await store.transaction().execute(async (transaction) => {
      await lockRow(transaction, owner === 'part' ? 'parts' : 'locations', ownerId);
      const existing =
        (await machineSecrets.listByOwner(transaction, owner, [ownerId])).get(ownerId) ?? [];
      if (existing.length >= MAX_SECRETS) {
        throw failedPrecondition(
          `this ${owner} already has ${String(MAX_SECRETS)} active secrets: delete one first`,
        );
      }
      await machineSecrets.insert(transaction, owner, ownerId, dependencies.now());
    });
  }

  async function remove(owner: SecretOwner, ownerId: string, secretId: string): Promise<void> {
    if (!(await deleteSecret(store, owner, ownerId, secretId))) {
      throw notFound('secret', secretId);
    }
  }
}
