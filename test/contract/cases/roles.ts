import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { signIn } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

type Role = 'owner' | 'operator';
type ResourceType = 'organization' | 'location' | 'robot';

function authorization(
  organizationId: string,
  identityId: string,
  role: Role,
  resourceType: ResourceType,
  resourceId: string,
) {
  return {
    organizationId,
    authorizationType: 'role',
    authorizationId: `${resourceType}_${role}`,
    resourceType,
    resourceId,
    identityId,
  };
}

/** More IDs than a statement in either database supports. */
const MANY_IDS = 70_000;

export function roleContract(fleet: FleetUnderTest): void {
  describe('roles', () => {
    const newKey = async (organizationId: string, role: Role = 'operator') => {
      const { owner, deployment } = fleet();
      const key = await owner.createKey({
        authorizations: [authorization(organizationId, '', role, 'organization', organizationId)],
      });
      return { id: key.id, app: await signIn(deployment, key) };
    };

    it("list the keys that have them in the order of the keys' creation", async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const ids: string[] = [];
      for (let count = 0; count < 6; count += 1) ids.push((await newKey(organizationId)).id);
      const { apiKeys } = await owner.listKeys({ orgId: organizationId });
      assert.deepEqual(
        apiKeys
          .map(({ apiKey }) => apiKey?.id)
          .filter((id) => id !== undefined && ids.includes(id)),
        ids,
      );
    });

    it('apply immediately when they are added, changed, and removed', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { machineId } = await newMachine(owner, organizationId);
      const key = await newKey(organizationId);
      const rename = (): Promise<unknown> => key.app.updateRobot({ id: machineId, name: 'x' });
      await assertRejected(rename(), Code.PermissionDenied);
      const onMachine = authorization(organizationId, key.id, 'owner', 'robot', machineId);
      await owner.addRole({ authorization: onMachine });
      await rename();
      await owner.changeRole({
        oldAuthorization: onMachine,
        newAuthorization: authorization(organizationId, key.id, 'operator', 'robot', machineId),
      });
      await assertRejected(rename(), Code.PermissionDenied);
      await owner.removeRole({
        authorization: authorization(
          organizationId,
          key.id,
          'operator',
          'organization',
          organizationId,
        ),
      });
      await assertRejected(
        key.app.listOrganizationMembers({ organizationId }),
        Code.PermissionDenied,
      );
      assert.equal((await key.app.getRobot({ id: machineId })).robot?.name, 'x');
    });

    it('are listed for the organization or for some of its resources', async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { machineId, locationId } = await newMachine(owner, organizationId);
      const key = await newKey(organizationId);
      await owner.addRole({
        authorization: authorization(organizationId, key.id, 'owner', 'robot', machineId),
      });
      const list = async (resourceIds: string[]): Promise<string[]> =>
        (await owner.listAuthorizations({ organizationId, resourceIds })).authorizations.map(
          (entry) => `${entry.identityId} ${entry.authorizationId} ${entry.resourceId}`,
        );
      const onMachine = `${key.id} robot_owner ${machineId}`;
      assert.deepEqual(
        (await list([])).sort(),
        [
          onMachine,
          `${key.id} organization_operator ${organizationId}`,
          `${deployment.owner.apiKeyId} organization_owner ${organizationId}`,
        ].sort(),
      );
      assert.deepEqual(await list([machineId]), [onMachine]);
      assert.deepEqual(await list([locationId]), []);
      assert.deepEqual(await list(Array.from({ length: MANY_IDS }, () => machineId)), [onMachine]);
      const unknown = Array.from({ length: MANY_IDS }, (_, index) => `unknown${String(index)}`);
      await assertRejected(list(unknown), Code.NotFound, /"unknown0"/);
      await assertRejected(list(['absent']), Code.NotFound);
    });

    it('never leave an organization without an owner', async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const mine = authorization(
        organizationId,
        deployment.owner.apiKeyId,
        'owner',
        'organization',
        organizationId,
      );
      await assertRejected(owner.removeRole({ authorization: mine }), Code.FailedPrecondition);
      await assertRejected(
        owner.changeRole({
          oldAuthorization: mine,
          newAuthorization: { ...mine, authorizationId: 'organization_operator' },
        }),
        Code.FailedPrecondition,
      );
      const second = await newKey(organizationId, 'owner');
      await second.app.removeRole({ authorization: mine });
      await assertRejected(second.app.deleteKey({ id: second.id }), Code.FailedPrecondition);
      await assertRejected(owner.getOrganization({ organizationId }), Code.NotFound);
    });

    it('reject invalid roles, resources, and identities', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const key = await newKey(organizationId);
      const good = authorization(organizationId, key.id, 'owner', 'organization', organizationId);
      const add = (changed: Partial<Record<keyof typeof good, string>>): Promise<unknown> =>
        owner.addRole({ authorization: { ...good, ...changed } });
      await assertRejected(add({ authorizationId: 'organization_king' }), Code.InvalidArgument);
      await assertRejected(add({ resourceType: 'planet' }), Code.InvalidArgument);
      await assertRejected(add({ resourceType: 'location' }), Code.InvalidArgument);
      await assertRejected(add({ identityId: '' }), Code.InvalidArgument);
      await assertRejected(add({ identityId: 'absent' }), Code.NotFound);
      await assertRejected(add({ resourceId: 'absent' }), Code.NotFound);
      await assertRejected(owner.removeRole({ authorization: good }), Code.NotFound, /owner/);
    });

    it('are granted only by those who administer the resource', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { locationId, machineId } = await newMachine(owner, organizationId);
      const key = await newKey(organizationId);
      const onMachine = {
        authorization: authorization(organizationId, key.id, 'owner', 'robot', machineId),
      };
      await assertRejected(key.app.addRole(onMachine), Code.PermissionDenied);
      await assertRejected((await newStranger(fleet())).addRole(onMachine), Code.NotFound);
      const locationOwner = await signInWithRole(fleet(), 'owner', 'location', locationId);
      await locationOwner.addRole(onMachine);
      const { apiKeys } = await owner.getRobotAPIKeys({ robotId: machineId });
      assert.deepEqual(
        apiKeys.map((entry) => [entry.apiKey?.id, entry.apiKey?.key]),
        [[key.id, '']],
      );
    });
  });
}
