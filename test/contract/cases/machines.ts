import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { OnlineState } from '../../../src/gen/viam/app/v1/machine_pb';
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
 * An error message that repeats an ID of this length exceeds the maximum size of trailers that
 * clients accept.
 */
const LONG_ID = 200_000;
const MANY_FAULTS = 1_000;

export function machineContract(fleet: FleetUnderTest): void {
  describe('machines', () => {
    it('are created with a main part that awaits setup', async () => {
      const { owner } = fleet();
      const { machineId, locationId, part } = await newMachine(
        owner,
        (await newOrganization(owner)).id,
        'Palletizer 1',
      );
      const { robot } = await owner.getRobot({ id: machineId });
      assert.equal(robot?.name, 'Palletizer 1');
      assert.equal(robot.location, locationId);
      assert.equal(robot.onlineState, OnlineState.AWAITING_SETUP);
      assert.equal(robot.lastAccess, undefined);
      assert.equal(part.mainPart, true);
      assert.equal(part.name, 'Palletizer 1-main');
      assert.equal(part.robot, machineId);
      assert.equal(part.locationId, locationId);
      assert.equal(part.secrets.length, 1);
      assert.match(part.fqdn, /^palletizer-1-main-[0-9a-f]{6}\.[a-z0-9]{10}\./);
      const { robots } = await owner.listRobots({ locationId });
      assert.deepEqual(
        robots.map(({ id }) => id),
        [machineId],
      );
    });

    it("begin with the default fragments of their location's organization", async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const newFragment = async (name: string): Promise<string> =>
        (await owner.createFragment({ organizationId, name })).fragment?.id ?? '';
      const [cell, arm] = [await newFragment('cell'), await newFragment('arm')];
      await owner.updateOrganization({
        organizationId,
        defaultFragments: {
          fragments: [
            { fragmentId: cell },
            {
              fragmentId: arm,
              version: 'stable',
              prefix: 'left',
              variables: { speed: 'slow', side: 'left' },
              fragmentVariables: { speed: 2 },
            },
          ],
        },
      });
      const second = {
        id: arm,
        version: 'stable',
        prefix: 'left',
        variables: { speed: 2, side: 'left' },
      };
      const { machineId, part } = await newMachine(owner, organizationId);
      assert.deepEqual(part.robotConfig, { fragments: [{ id: cell }, second] });
      assert.equal(part.robotConfigJson, JSON.stringify(part.robotConfig));
      const { fragments } = await owner.listMachineFragments({ machineId });
      assert.ok(fragments.some(({ id }) => id === cell));
      const { fragment } = await owner.getFragment({ id: cell });
      assert.equal(fragment?.robotPartCount, 1);
      const { partId } = await owner.newRobotPart({ robotId: machineId, partName: 'second' });
      assert.deepEqual((await owner.getRobotPart({ id: partId })).part?.robotConfig, {});

      await owner.deleteFragment({ id: cell });
      const { part: later } = await newMachine(owner, organizationId);
      assert.deepEqual(later.robotConfig, { fragments: [second] });
      await owner.deleteFragment({ id: arm });
      assert.equal((await newMachine(owner, organizationId)).part.robotConfigJson, '{}');
    });

    it('shorten the name of their main part if it would be too long', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const long = await newMachine(owner, id, 'x'.repeat(1000));
      assert.equal(long.part.name, `${'x'.repeat(995)}-main`);
      await owner.updateRobotPart({ id: long.part.id, name: long.part.name, robotConfig: {} });
      const pairs = await newMachine(owner, id, `x${'\u{1f916}'.repeat(499)}`);
      assert.equal(pairs.part.name, `x${'\u{1f916}'.repeat(497)}-main`);
      assert.equal((await newMachine(owner, id, 'x'.repeat(995))).part.name.length, 1000);
    });

    it('reject a blank name, and a missing or unknown location', async () => {
      const { owner } = fleet();
      const location = await newLocation(owner, (await newOrganization(owner)).id);
      await assertRejected(
        owner.newRobot({ name: '', location: location.id }),
        Code.InvalidArgument,
      );
      await assertRejected(owner.newRobot({ name: 'x', location: '' }), Code.InvalidArgument);
      await assertRejected(owner.newRobot({ name: 'x', location: 'absent' }), Code.NotFound);
      await assertRejected(owner.listRobots({ locationId: '' }), Code.InvalidArgument);
    });

    it('reject texts that a list cannot contain, with messages that every client can read', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const location = await newLocation(owner, id);
      const newRobot = (name: string) => owner.newRobot({ name, location: location.id });
      await assertRejected(newRobot('x'.repeat(1001)), Code.InvalidArgument, /1000 characters/);
      const update = owner.updateLocation({ locationId: location.id, region: 'a\0' });
      await assertRejected(update, Code.InvalidArgument, /region.*U\+0000/);
      await assertRejected(owner.getRobot({ id: 'x'.repeat(LONG_ID) }), Code.NotFound);
      await assertRejected(
        owner.createKey({ authorizations: Array.from({ length: MANY_FAULTS }, () => ({})) }),
        Code.InvalidArgument,
      );
      assert.equal(
        (await owner.getLocation({ locationId: location.id })).location?.id,
        location.id,
      );
    });

    it('change only their name', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { machineId, locationId } = await newMachine(owner, organizationId);
      const other = await newLocation(owner, organizationId);
      const { robot } = await owner.updateRobot({
        id: machineId,
        name: 'renamed',
        location: locationId,
      });
      assert.equal(robot?.name, 'renamed');
      await assertRejected(
        owner.updateRobot({ id: machineId, name: 'moved', location: other.id }),
        Code.InvalidArgument,
      );
      await assertRejected(owner.updateRobot({ id: machineId, name: '' }), Code.InvalidArgument);
      assert.equal((await owner.getRobot({ id: machineId })).robot?.name, 'renamed');
    });

    it('delete their parts with them', async () => {
      const { owner } = fleet();
      const { machineId, part } = await newMachine(owner, (await newOrganization(owner)).id);
      await owner.deleteRobot({ id: machineId });
      await assertRejected(owner.getRobot({ id: machineId }), Code.NotFound);
      await assertRejected(owner.getRobotPart({ id: part.id }), Code.NotFound);
      await assertRejected(owner.deleteRobot({ id: machineId }), Code.NotFound);
    });

    it('are hidden from others, and readable by their operator', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { machineId, locationId, part } = await newMachine(owner, organizationId);
      await owner.newRobot({ name: 'neighbor', location: locationId });
      const stranger = await newStranger(fleet());
      for (const id of [machineId, 'absent']) {
        await assertRejected(stranger.getRobot({ id }), Code.NotFound);
        await assertRejected(stranger.getRobotParts({ robotId: id }), Code.NotFound);
        await assertRejected(stranger.deleteRobot({ id }), Code.NotFound);
      }
      const operator = await signInWithRole(fleet(), 'operator', 'robot', machineId);
      assert.equal((await operator.getRobot({ id: machineId })).robot?.id, machineId);
      const { part: read } = await operator.getRobotPart({ id: part.id });
      assert.equal(read?.robotConfigJson, '{}');
      assert.deepEqual(read.secrets, []);
      assert.deepEqual(
        (await operator.listRobots({ locationId })).robots.map(({ id }) => id),
        [machineId],
      );
      await assertRejected(operator.deleteRobot({ id: machineId }), Code.PermissionDenied);
      await assertRejected(
        operator.updateRobotPart({ id: part.id, name: 'x' }),
        Code.PermissionDenied,
      );
    });
  });
}
