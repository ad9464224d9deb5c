import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { listImportedIds } from '../../core/fragments/fragmentImport';
import { may } from '../auth/authorizer';
import { grantedMachineIds, type Principal } from '../auth/principal';
import { createDefaultConfig } from '../config/defaultFragments';
import { failedPrecondition, invalid, notFound } from '../errors';
import { locationAuthMessage, machineMessage } from '../messages/machineMessages';
import { isLargeText } from '../messages/structField';
import { deleteKeysWithoutRoles, lockKeysIn } from '../store/credentials';
import { writePartFragments } from '../store/fragmentUses';
import { newId } from '../store/identifiers';
import { deleteInvitesWithoutRoles } from '../store/invites';
import {
  deleteMachine,
  findMachine,
  insertMachine,
  listMachines,
  type MachineWithContact,
  renameMachine,
} from '../store/machines';
import { findOrganization } from '../store/organizations';
import { insertPart } from '../store/parts';
import { resolvePath } from '../store/resourcePath';
import { lockRow } from '../store/store';
import {
  deriveName,
  getCaller,
  getResourcePath,
  type HandlerDependencies,
  requireName,
  requireNameInUpdate,
  toLargeCall,
} from './handlerSupport';
import type { LocationAuth } from '../../gen/viam/app/v1/location_pb';
import { deleteSecret, type SecretOwner } from '../store/secrets';
import { describePart } from './describeConfigs';

type MachineOperations = Pick<
  ServiceImpl<typeof AppService>,
  'listRobots' | 'newRobot' | 'getRobot' | 'updateRobot' | 'deleteRobot'
>;

const MAIN_PART_SUFFIX = '-main';

/** Handlers for machines, which the wire protocol calls robots (spec part 3). */
export function machineHandlers(dependencies: HandlerDependencies): MachineOperations {
  const { store } = dependencies;
  return {
    async listRobots(request, context) {
      const rows = await readableMachines(request.locationId, getCaller(context));
      const now = dependencies.now();
      return { robots: rows.map((row) => machineMessage(row, now)) };
    },

    async newRobot(request, context) {
      const name = requireName(request.name);
      const partName = deriveName(name, MAIN_PART_SUFFIX);
      const { organizationId } = getResourcePath(context);
      const organization = await findOrganization(store, organizationId);
      const defaults = organization?.default_fragments ?? null;
      const insert = async (): Promise<{ id: string }> => {
        const config = await createDefaultConfig(store, organizationId, defaults);
        const id = newId();
        const partId = newId();
        const createdAt = dependencies.now();
        await store.transaction().execute(async (transaction) => {
          await insertMachine(transaction, { id, locationId: request.location, name, createdAt });
          await insertPart(transaction, {
            id: partId,
            machineId: id,
            name: partName,
            isMain: true,
            createdAt,
            configJson: JSON.stringify(config),
          });
          await writePartFragments(transaction, partId, listImportedIds(config));
          await dependencies.machineSecrets.insert(transaction, 'part', partId, createdAt);
        });
        return { id };
      };
      const isLarge = defaults !== null && isLargeText(defaults);
      return dependencies.documentWork.runSized(isLarge, toLargeCall(context), insert);
    },

    async getRobot(request) {
      return { robot: machineMessage(await get(request.id), dependencies.now()) };
    },

    async updateRobot(request) {
      const current = await get(request.id);
      const name = requireNameInUpdate(request.name, current.name);
      // The location in the request must match the machine's location, because this operation
      // doesn't move machines.
      if (request.location !== '' && request.location !== current.location_id) {
        throw invalid(
          `location: machine "${current.name}" is not in location "${request.location}"; only its name can be changed here`,
        );
      }
      await renameMachine(store, request.id, name);
      return { robot: machineMessage(await get(request.id), dependencies.now()) };
    },

    async deleteRobot(request, context) {
      const { organizationId } = getResourcePath(context);
      await store.transaction().execute(async (transaction) => {
        // The lock prevents other requests from adding a role to an invitation that is deleted here
        // for having no roles.
        await lockRow(transaction, 'organizations', organizationId);
        await lockKeysIn(transaction, organizationId);
        await deleteMachine(transaction, request.id);
        await deleteKeysWithoutRoles(transaction);
        await deleteInvitesWithoutRoles(transaction);
      });
      return {};
    },
  };

  async function get(id: string): Promise<MachineWithContact> {
    const row = await findMachine(store, id);
    if (row === undefined) throw notFound('machine', id);
    return row;
  }

  async function readableMachines(
    locationId: string,
    principal: Principal,
  ): Promise<MachineWithContact[]> {
    const path = await resolvePath(store, { type: 'location', id: locationId });
    if (path === undefined) throw notFound('location', locationId);
    const rows = await listMachines(store, locationId);
    if (may(principal, 'read_location', path)) return rows;
    const granted = new Set(grantedMachineIds(principal));
    const readable = rows.filter((row) => granted.has(row.id));
    if (readable.length === 0) throw notFound('location', locationId);
    return readable;
  }
}

type MachineSecretOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'locationAuth'
  | 'createLocationSecret'
  | 'deleteLocationSecret'
  | 'createRobotPartSecret'
  | 'deleteRobotPartSecret'
>;

/**
 * Maximum number of secrets. A second secret allows machines to switch to it before the first one
 * is deleted. A third secret would have no use.
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
    if (!(await deleteSecret(store, owner, ownerId, secretId))) throw notFound('secret', secretId);
  }
}
