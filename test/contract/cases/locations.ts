import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import {
  assertRejected,
  type FleetUnderTest,
  newLocation,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

export function locationContract(fleet: FleetUnderTest): void {
  describe('locations', () => {
    it('are nested, and list their contents', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner, 'Acme');
      const outer = await newLocation(owner, organizationId, 'Plant');
      const inner = await newLocation(owner, organizationId, 'Hall', outer.id);
      await owner.newRobot({ name: 'arm', location: inner.id });
      const { locations } = await owner.listLocations({ organizationId });
      assert.deepEqual(
        locations.map(({ name, parentLocationId, robotCount }) => ({
          name,
          parentLocationId,
          robotCount,
        })),
        [
          { name: 'Plant', parentLocationId: '', robotCount: 0 },
          { name: 'Hall', parentLocationId: outer.id, robotCount: 1 },
        ],
      );
      assert.equal(locations[0]?.primaryOrgIdentity?.name, 'Acme');
      assert.deepEqual(
        locations[0].organizations.map((entry) => [entry.organizationId, entry.primary]),
        [[organizationId, true]],
      );
    });

    it('reject a blank name and a parent outside of the organization', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const elsewhere = await newLocation(owner, (await newOrganization(owner)).id);
      await assertRejected(
        owner.createLocation({ organizationId, name: '' }),
        Code.InvalidArgument,
      );
      for (const parentLocationId of ['absent', elsewhere.id]) {
        await assertRejected(
          owner.createLocation({ organizationId, name: 'Hall', parentLocationId }),
          Code.NotFound,
        );
      }
      assert.deepEqual((await owner.listLocations({ organizationId })).locations, []);
    });

    it('preserve what an update omits, and move to the top level with an empty parent', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const outer = await newLocation(owner, organizationId, 'Plant');
      const inner = await newLocation(owner, organizationId, 'Hall', outer.id);
      const renamed = await owner.updateLocation({ locationId: inner.id, name: 'Hall 2' });
      assert.equal(renamed.location?.name, 'Hall 2');
      assert.equal(renamed.location.parentLocationId, outer.id);
      const moved = await owner.updateLocation({
        locationId: inner.id,
        name: '',
        parentLocationId: '',
      });
      assert.equal(moved.location?.name, 'Hall 2');
      assert.equal(moved.location.parentLocationId, '');
      const regional = await owner.updateLocation({ locationId: inner.id, region: 'eu' });
      assert.equal(regional.location?.config?.region, 'eu');
    });

    it('are never nested in themselves', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const outer = await newLocation(owner, organizationId, 'Plant');
      const inner = await newLocation(owner, organizationId, 'Hall', outer.id);
      for (const parentLocationId of [outer.id, inner.id]) {
        await assertRejected(
          owner.updateLocation({ locationId: outer.id, parentLocationId }),
          Code.FailedPrecondition,
        );
      }
      await assertRejected(
        owner.updateLocation({ locationId: inner.id, parentLocationId: 'absent' }),
        Code.NotFound,
      );
    });

    it('show their secrets only to owners', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { id: locationId } = await newLocation(owner, organizationId);
      const operator = await signInWithRole(fleet(), 'operator', 'location', locationId);
      assert.equal((await owner.getLocation({ locationId })).location?.auth?.secrets.length, 1);
      assert.equal((await operator.getLocation({ locationId })).location?.auth, undefined);
      assert.equal(
        (await operator.listLocations({ organizationId })).locations[0]?.auth,
        undefined,
      );
    });

    it('are listed for those with a role on them, on a parent location, or on a machine in them', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const outer = await newLocation(owner, organizationId, 'Plant');
      const inner = await newLocation(owner, organizationId, 'Hall', outer.id);
      const { machineId, locationId } = await newMachine(owner, organizationId);
      const names = async (type: 'location' | 'robot', resourceId: string): Promise<string[]> => {
        const app = await signInWithRole(fleet(), 'operator', type, resourceId);
        const ids = (await app.listLocations({ organizationId })).locations.map(({ id }) => id);
        for (const id of [outer.id, inner.id, locationId]) {
          const read = app.getLocation({ locationId: id });
          await (ids.includes(id) ? read : assertRejected(read, Code.NotFound));
        }
        return ids;
      };
      assert.deepEqual(await names('location', outer.id), [outer.id, inner.id]);
      assert.deepEqual(await names('location', inner.id), [inner.id]);
      assert.deepEqual(await names('robot', machineId), [locationId]);
    });

    it('are hidden from others', async () => {
      const { owner } = fleet();
      const location = await newLocation(owner, (await newOrganization(owner)).id);
      const stranger = await newStranger(fleet());
      for (const locationId of [location.id, 'absent']) {
        await assertRejected(stranger.getLocation({ locationId }), Code.NotFound);
        await assertRejected(stranger.listRobots({ locationId }), Code.NotFound);
        await assertRejected(stranger.newRobot({ name: 'x', location: locationId }), Code.NotFound);
        await assertRejected(stranger.deleteLocation({ locationId }), Code.NotFound);
      }
    });

    it('delete nested locations and machines with them', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const outer = await newLocation(owner, organizationId, 'Plant');
      const inner = await newLocation(owner, organizationId, 'Hall', outer.id);
      const { id } = await owner.newRobot({ name: 'arm', location: inner.id });
      await owner.deleteLocation({ locationId: outer.id });
      await assertRejected(owner.getLocation({ locationId: inner.id }), Code.NotFound);
      await assertRejected(owner.getRobot({ id }), Code.NotFound);
      assert.deepEqual((await owner.listLocations({ organizationId })).locations, []);
    });
  });
}
