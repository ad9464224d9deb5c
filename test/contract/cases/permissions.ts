import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import type { AppClient } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newLocation,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

/** All permission strings of the spec. */
const ALL_PERMISSIONS =
  'read_organization write_organization read_fragment write_fragment read_location write_location read_location_secret read_robot_secret read_robot read_robot_config read_robot_logs write_robot control_robot read_organization_data_management read_location_data_management read_robot_data_management write_organization_data_management write_location_data_management write_robot_data_management read_robot_history read_mapping_sessions create_maps write_private_registry_item write_public_registry_item read_private_registry_item train_models read_packages write_packages delete_packages configure_database_user get_database_connection create_dataset list_dataset rename_dataset delete_dataset'.split(
    ' ',
  );

const MANY_RESOURCES = 1_000;

export function permissionContract(fleet: FleetUnderTest): void {
  describe('CheckPermissions', () => {
    const permitted = async (
      app: AppClient,
      resourceType: string,
      resourceId: string,
      permissions: string[],
    ): Promise<string[]> => {
      const { authorizedPermissions } = await app.checkPermissions({
        permissions: [{ resourceType, resourceId, permissions }],
      });
      assert.equal(authorizedPermissions.length, 1);
      assert.equal(authorizedPermissions[0]?.resourceId, resourceId);
      return authorizedPermissions[0].permissions;
    };

    it('grants an owner of the organization everything in it', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const { machineId, locationId } = await newMachine(owner, id);
      assert.equal(ALL_PERMISSIONS.length, 35);
      for (const [type, resourceId] of [
        ['organization', id],
        ['location', locationId],
        ['robot', machineId],
      ] as const) {
        assert.deepEqual(
          await permitted(owner, type, resourceId, ALL_PERMISSIONS),
          ALL_PERMISSIONS,
        );
      }
    });

    it('grants operators only permissions to read and control', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const { machineId } = await newMachine(owner, id);
      const operator = await signInWithRole(fleet(), 'operator', 'organization', id);
      assert.deepEqual(
        await permitted(operator, 'robot', machineId, [
          'read_robot',
          'control_robot',
          'write_robot',
          'read_robot_secret',
        ]),
        ['read_robot', 'control_robot'],
      );
    });

    it('grants the owner of a machine nothing outside of it', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const { machineId, locationId } = await newMachine(owner, id);
      const machineOwner = await signInWithRole(fleet(), 'owner', 'robot', machineId);
      const requested = ['write_robot', 'write_location', 'write_organization'];
      assert.deepEqual(await permitted(machineOwner, 'robot', machineId, requested), [
        'write_robot',
      ]);
      assert.deepEqual(await permitted(machineOwner, 'location', locationId, requested), []);
      assert.deepEqual(await permitted(machineOwner, 'organization', id, requested), []);
    });

    it('returns nothing for what does not exist or belongs to others', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const stranger = await newStranger(fleet());
      for (const resourceId of [id, 'absent']) {
        assert.deepEqual(
          await permitted(stranger, 'organization', resourceId, ['read_organization']),
          [],
        );
      }
    });

    it('checks many resources in one call, in their order', async () => {
      const { owner } = fleet();
      const { id: mine } = await newOrganization(owner);
      const { id: other } = await newOrganization(owner, 'Other');
      const outer = await newLocation(owner, mine, 'outer');
      const inner = await newLocation(owner, mine, 'inner', outer.id);
      const { id: machineId } = await owner.newRobot({ name: 'arm', location: inner.id });
      await owner.shareLocation({ locationId: outer.id, organizationId: other });
      const ofOuter = await signInWithRole(fleet(), 'owner', 'location', outer.id);
      const ofOther = await signInWithRole(fleet(), 'owner', 'organization', other);
      const resources: [string, string][] = [
        ['robot', machineId],
        ['location', inner.id],
        ['robot', 'absent'],
        ['organization', mine],
        ['location', outer.id],
      ];
      const check = async (app: AppClient): Promise<string[]> => {
        const { authorizedPermissions } = await app.checkPermissions({
          permissions: Array.from({ length: MANY_RESOURCES }, (_, index) => {
            const [resourceType = '', resourceId = ''] = resources[index % resources.length] ?? [];
            const action = resourceType === 'robot' ? 'control' : 'read';
            const permissions = [`${action}_${resourceType}`, `write_${resourceType}`];
            return { resourceType, resourceId, permissions };
          }),
        });
        assert.equal(authorizedPermissions.length, MANY_RESOURCES);
        const first = authorizedPermissions.slice(0, resources.length);
        assert.deepEqual(authorizedPermissions.slice(-resources.length), first);
        assert.deepEqual(
          first.map(({ resourceType, resourceId }) => [resourceType, resourceId]),
          resources,
        );
        return first.map(({ permissions }) => permissions.map((text) => text[0]).join(''));
      };
      assert.deepEqual(await check(owner), ['cw', 'rw', '', 'rw', 'rw']);
      assert.deepEqual(await check(ofOuter), ['cw', 'rw', '', '', 'rw']);
      assert.deepEqual(await check(ofOther), ['c', 'r', '', '', 'r']);
    });

    it('rejects empty lists and invalid permissions and resource types', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const check = (resourceType: string, permissions: string[]): Promise<unknown> =>
        owner.checkPermissions({
          permissions: [{ resourceType, resourceId: id, permissions }],
        });
      await assertRejected(owner.checkPermissions({ permissions: [] }), Code.InvalidArgument);
      await assertRejected(check('organization', []), Code.InvalidArgument);
      await assertRejected(check('organization', ['fly']), Code.InvalidArgument);
      await assertRejected(check('planet', ['read_organization']), Code.InvalidArgument);
    });
  });
}
