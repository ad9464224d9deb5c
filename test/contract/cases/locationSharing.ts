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

/**
 * A location in one organization, and members of another organization with which it can be shared.
 */
interface Neighbors {
  ownerId: string;
  otherId: string;
  locationId: string;
  machineId: string;
  partId: string;
  /** Owner of the entire other organization, who has no other roles. */
  otherOwner: AppClient;
}

export function locationSharingContract(fleet: FleetUnderTest): void {
  describe('sharing locations', () => {
    const neighbors = async (): Promise<Neighbors> => {
      const { owner } = fleet();
      const mine = await newOrganization(owner, 'Mine');
      const other = await newOrganization(owner, 'Other');
      const { locationId, machineId, part } = await newMachine(owner, mine.id);
      const otherOwner = await signInWithRole(fleet(), 'owner', 'organization', other.id);
      return {
        ownerId: mine.id,
        otherId: other.id,
        locationId,
        machineId,
        partId: part.id,
        otherOwner,
      };
    };

    const share = (locationId: string, organizationId: string): Promise<unknown> =>
      fleet().owner.shareLocation({ locationId, organizationId });

    it('allows the other organization to read and control, but not to change', async () => {
      const { otherId, locationId, machineId, partId, otherOwner } = await neighbors();
      await assertRejected(otherOwner.getLocation({ locationId }), Code.NotFound);
      await share(locationId, otherId);

      const { location } = await otherOwner.getLocation({ locationId });
      assert.equal(location?.auth, undefined);
      const { robots } = await otherOwner.listRobots({ locationId });
      assert.deepEqual(
        robots.map(({ id }) => id),
        [machineId],
      );
      assert.equal((await otherOwner.getRobotPart({ id: partId })).part?.secret, '');
      await otherOwner.getRobotPartHistory({ id: partId });
      await otherOwner.getLocationMetadata({ locationId });
      await otherOwner.markPartForRestart({ partId });

      await assertRejected(
        otherOwner.updateLocation({ locationId, name: 'Taken' }),
        Code.PermissionDenied,
      );
      await assertRejected(otherOwner.locationAuth({ locationId }), Code.PermissionDenied);
      await assertRejected(otherOwner.deleteRobot({ id: machineId }), Code.PermissionDenied);
      await assertRejected(
        otherOwner.updateRobotPart({ id: partId, name: 'taken' }),
        Code.PermissionDenied,
      );
      await assertRejected(
        otherOwner.newRobot({ name: 'arm', location: locationId }),
        Code.PermissionDenied,
      );
      await assertRejected(
        otherOwner.shareLocation({ locationId, organizationId: otherId }),
        Code.PermissionDenied,
      );
    });

    it('marks permissions that are granted through a share', async () => {
      const { otherId, locationId, otherOwner } = await neighbors();
      await share(locationId, otherId);
      const { authorizedPermissions } = await otherOwner.checkPermissions({
        permissions: [
          {
            resourceType: 'location',
            resourceId: locationId,
            permissions: ['read_location', 'control_robot', 'write_location', 'read_organization'],
          },
        ],
      });
      assert.deepEqual(authorizedPermissions[0]?.permissions, ['read_location', 'control_robot']);
    });

    it('covers current and future contents', async () => {
      const { ownerId, otherId, locationId, otherOwner } = await neighbors();
      const inner = await newLocation(fleet().owner, ownerId, 'Inner', locationId);
      await share(locationId, otherId);
      const later = await newLocation(fleet().owner, ownerId, 'Later', inner.id);
      await otherOwner.getLocation({ locationId: later.id });
      const { locations } = await otherOwner.listLocations({ organizationId: otherId });
      assert.deepEqual(
        locations.map(({ id }) => id).toSorted(),
        [locationId, inner.id, later.id].toSorted(),
      );
      assert.deepEqual(
        locations
          .find(({ id }) => id === inner.id)
          ?.organizations.map((one) => [one.organizationId, one.primary]),
        [
          [ownerId, true],
          [otherId, false],
        ],
      );
    });

    it('reveals nothing to those with a role on only a part of the other organization', async () => {
      const { otherId, locationId } = await neighbors();
      const location = await newLocation(fleet().owner, otherId);
      const limited = await signInWithRole(fleet(), 'owner', 'location', location.id);
      await share(locationId, otherId);
      await assertRejected(limited.getLocation({ locationId }), Code.NotFound);
      const { locations } = await limited.listLocations({ organizationId: otherId });
      assert.deepEqual(
        locations.map(({ id }) => id),
        [location.id],
      );
    });

    it('lists all organizations with access for the owner, and only itself for another', async () => {
      const { ownerId, otherId, locationId, otherOwner } = await neighbors();
      const third = await newOrganization(fleet().owner, 'Third');
      await share(locationId, otherId);
      await share(locationId, third.id);
      const all = await fleet().owner.getOrganizationsWithAccessToLocation({ locationId });
      assert.deepEqual(
        all.organizationIdentities.map(({ id, name }) => [id, name]).toSorted(),
        [
          [ownerId, 'Mine'],
          [otherId, 'Other'],
          [third.id, 'Third'],
        ].toSorted(),
      );
      assert.equal(all.organizationIdentities[0]?.id, ownerId);
      const theirs = await otherOwner.getOrganizationsWithAccessToLocation({ locationId });
      assert.deepEqual(
        theirs.organizationIdentities.map(({ id }) => id),
        [ownerId, otherId],
      );
      const { location } = await otherOwner.getLocation({ locationId });
      assert.deepEqual(
        location?.organizations.map(({ organizationId }) => organizationId),
        [ownerId, otherId],
      );
    });

    it('lists the other organizations in the order of their IDs', async () => {
      const { owner } = fleet();
      const { ownerId, locationId } = await neighbors();
      const others: string[] = [];
      for (const name of ['A', 'B', 'C', 'D', 'E']) {
        others.push((await newOrganization(owner, name)).id);
      }
      for (const id of others.toSorted().toReversed()) await share(locationId, id);
      const { location } = await owner.getLocation({ locationId });
      const { locations } = await owner.listLocations({ organizationId: ownerId });
      for (const found of [location, locations.find(({ id }) => id === locationId)]) {
        assert.deepEqual(
          found?.organizations.map(({ organizationId }) => organizationId),
          [ownerId, ...others.toSorted()],
        );
      }
    });

    it('stops immediately when the share is removed', async () => {
      const { otherId, locationId, otherOwner } = await neighbors();
      await share(locationId, otherId);
      await share(locationId, otherId);
      await fleet().owner.unshareLocation({ locationId, organizationId: otherId });
      await assertRejected(otherOwner.getLocation({ locationId }), Code.NotFound);
      const { locations } = await otherOwner.listLocations({ organizationId: otherId });
      assert.deepEqual(locations, []);
      await assertRejected(
        fleet().owner.unshareLocation({ locationId, organizationId: otherId }),
        Code.FailedPrecondition,
        /not shared/,
      );
    });

    it('shows no keys of the owning organization in histories', async () => {
      const { owner } = fleet();
      const { otherId, locationId, partId, otherOwner } = await neighbors();
      await share(locationId, otherId);
      await owner.updateRobotPart({ id: partId, name: 'renamed' });
      const own = await owner.getRobotPartHistory({ id: partId });
      assert.ok(own.history[0]?.editedBy);
      const { history } = await otherOwner.getRobotPartHistory({ id: partId });
      assert.deepEqual(
        history.map(({ old, editedBy }) => [old?.name, editedBy]),
        [['arm-main', undefined]],
      );
    });

    it('cannot be stopped for a location while a parent is shared', async () => {
      const { owner } = fleet();
      const { ownerId, otherId, locationId, otherOwner } = await neighbors();
      const { id: inner } = await newLocation(owner, ownerId, 'Inner', locationId);
      await share(locationId, otherId);
      await share(inner, otherId);
      const unshare = (id: string) =>
        owner.unshareLocation({ locationId: id, organizationId: otherId });
      await assertRejected(unshare(inner), Code.FailedPrecondition, /shared parent location/);
      await unshare(locationId);
      assert.ok((await otherOwner.getLocation({ locationId: inner })).location);
      await unshare(inner);
      await assertRejected(otherOwner.getLocation({ locationId: inner }), Code.NotFound);
    });

    it('rejects invalid requests', async () => {
      const { ownerId, otherId, locationId } = await neighbors();
      const inner = await newLocation(fleet().owner, ownerId, 'Inner', locationId);
      await assertRejected(share(locationId, ownerId), Code.FailedPrecondition, /already/);
      await assertRejected(share(locationId, 'nobody'), Code.NotFound, /organization "nobody"/);
      await assertRejected(share('nowhere', otherId), Code.NotFound, /location "nowhere"/);
      await assertRejected(
        fleet().owner.unshareLocation({ locationId, organizationId: ownerId }),
        Code.FailedPrecondition,
      );
      await share(locationId, otherId);
      await assertRejected(
        fleet().owner.unshareLocation({ locationId: inner.id, organizationId: otherId }),
        Code.FailedPrecondition,
        /shared parent location/,
      );
    });

    it('is hidden from users without access', async () => {
      const { otherId, locationId } = await neighbors();
      await share(locationId, otherId);
      const stranger = await newStranger(fleet());
      await assertRejected(
        stranger.getOrganizationsWithAccessToLocation({ locationId }),
        Code.NotFound,
      );
      await assertRejected(
        stranger.unshareLocation({ locationId, organizationId: otherId }),
        Code.NotFound,
      );
    });
  });
}
