import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { FragmentVisibility } from '../../../src/gen/viam/app/v1/fragment_pb';
import { OnlineState } from '../../../src/gen/viam/app/v1/machine_pb';
import type { ListMachineSummariesResponse } from '../../../src/gen/viam/app/v1/machine_summary_pb';
import { type AppClient, connectPart } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newLocation,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

/** Returns the names of the machines, by the name of their location. */
function listNames({ locationSummaries }: ListMachineSummariesResponse): [string, string[]][] {
  return locationSummaries.map(({ locationName, machineSummaries }) => [
    locationName,
    machineSummaries.map(({ machineName }) => machineName),
  ]);
}

export function machineSummaryContract(fleet: FleetUnderTest): void {
  describe('machine summaries', () => {
    const newFragment = async (organizationId: string, name: string, fragments: string[] = []) => {
      const { fragment } = await fleet().owner.createFragment({
        organizationId,
        name,
        config: { fragments },
        visibility: FragmentVisibility.PRIVATE,
      });
      return fragment?.id ?? assert.fail();
    };

    const importFragments = async (partId: string, name: string, fragments: string[]) => {
      const robotConfigJson = JSON.stringify({ fragments });
      await fleet().owner.updateRobotPart({ id: partId, name, robotConfigJson });
    };

    /** Two locations: "Hall" with the machines "arm" and "rover", and "Yard" with "truck". */
    const newFleet = async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const hall = await newLocation(owner, organizationId, 'Hall');
      const yard = await newLocation(owner, organizationId, 'Yard');
      await newLocation(owner, organizationId, 'Empty');
      const machineIds: string[] = [];
      for (const [name, { id }] of [
        ['arm', hall],
        ['rover', hall],
        ['truck', yard],
      ] as const) {
        machineIds.push((await owner.newRobot({ name, location: id })).id);
      }
      const [armId = '', roverId = '', truckId = ''] = machineIds;
      return { organizationId, hallId: hall.id, yardId: yard.id, armId, roverId, truckId };
    };

    const getMainPart = async (app: AppClient, machineId: string) => {
      const { parts } = await app.getRobotParts({ robotId: machineId });
      return parts[0] ?? assert.fail();
    };

    it('contain all machines and parts of an organization by location', async () => {
      const { owner } = fleet();
      const { organizationId, hallId, armId } = await newFleet();
      const { partId } = await owner.newRobotPart({ robotId: armId, partName: 'camera' });
      const answer = await owner.listMachineSummaries({ organizationId });
      assert.deepEqual(listNames(answer), [
        ['Hall', ['arm', 'rover']],
        ['Yard', ['truck']],
      ]);
      const [hall] = answer.locationSummaries;
      assert.equal(hall?.locationId, hallId);
      const [arm] = hall.machineSummaries;
      assert.equal(arm?.machineId, armId);
      const main = await getMainPart(owner, armId);
      assert.deepEqual(
        arm.partSummaries.map((part) => [part.partId, part.partName, part.isMainPart]),
        [
          [main.id, 'arm-main', true],
          [partId, 'camera', false],
        ],
      );
      const [part] = arm.partSummaries;
      assert.equal(part?.dnsName, main.dnsName);
      assert.equal(part.onlineState, OnlineState.AWAITING_SETUP);
      assert.equal(part.lastAccess, undefined);
      assert.equal(part.platform, undefined);
    });

    it('contain the fragments that the config of a part imports itself', async () => {
      const { owner } = fleet();
      const { organizationId, armId } = await newFleet();
      const inner = await newFragment(organizationId, 'inner');
      const outer = await newFragment(organizationId, 'outer', [inner]);
      const other = await newOrganization(owner);
      const hidden = await newFragment(other.id, 'secret plan');
      const part = await getMainPart(owner, armId);
      await importFragments(part.id, part.name, [outer, hidden, 'deleted']);
      const { locationSummaries } = await owner.listMachineSummaries({ organizationId });
      const [arm, rover] = locationSummaries[0]?.machineSummaries ?? [];
      assert.deepEqual(
        new Map(arm?.partSummaries[0]?.fragments.map(({ id, name }) => [id, name])),
        new Map([
          [outer, 'outer'],
          [hidden, ''],
          ['deleted', ''],
        ]),
      );
      assert.deepEqual(rover?.partSummaries[0]?.fragments, []);

      const using = async (...fragmentIds: string[]) =>
        listNames(await owner.listMachineSummaries({ organizationId, fragmentIds }));
      assert.deepEqual(await using(outer), [['Hall', ['arm']]]);
      assert.deepEqual(await using(inner), [['Hall', ['arm']]], 'through another fragment');
      assert.deepEqual(await using('absent', 'deleted'), [['Hall', ['arm']]]);
      assert.deepEqual(await using('absent'), []);
    });

    it('contain the last contact of a part', async () => {
      const { owner, deployment, clock } = fleet();
      const { organizationId, truckId, yardId } = await newFleet();
      const truckPart = await getMainPart(owner, truckId);
      const truck = await connectPart(deployment, truckPart);
      await truck.needsRestart({ id: truckPart.id });
      clock.advance(90_000);
      const answer = await owner.listMachineSummaries({ organizationId, locationIds: [yardId] });
      const summary = answer.locationSummaries[0]?.machineSummaries[0]?.partSummaries[0];
      const part = await getMainPart(owner, truckId);
      assert.equal(summary?.onlineState, OnlineState.OFFLINE);
      assert.deepEqual(summary.lastAccess, part.lastAccess);
      assert.deepEqual(summary.lastOnline, part.lastAccess);
      assert.ok(summary.secondsSinceOnline >= 89n);
    });

    it('are limited to locations and to a number of machines', async () => {
      const { owner } = fleet();
      const { organizationId, yardId } = await newFleet();
      const list = async (request: { locationIds?: string[]; limit?: number }) =>
        listNames(await owner.listMachineSummaries({ organizationId, ...request }));
      assert.deepEqual(await list({ locationIds: [yardId, 'absent'] }), [['Yard', ['truck']]]);
      assert.deepEqual(await list({ locationIds: ['absent'] }), []);
      assert.deepEqual(await list({ limit: 1 }), [['Hall', ['arm']]]);
      assert.equal((await list({ limit: 0 })).length, 2);
      await assertRejected(list({ limit: -1 }), Code.InvalidArgument, /limit/);
      await assertRejected(owner.listMachineSummaries({}), Code.InvalidArgument);
    });

    it('contain only machines that the caller can read', async () => {
      const { owner } = fleet();
      const { organizationId, hallId, yardId, roverId } = await newFleet();
      const stranger = await newStranger(fleet());
      await assertRejected(stranger.listMachineSummaries({ organizationId }), Code.NotFound);
      const list = async (app: AppClient, locationIds: string[] = []) =>
        listNames(await app.listMachineSummaries({ organizationId, locationIds }));
      const operator = await signInWithRole(fleet(), 'operator', 'robot', roverId);
      assert.deepEqual(await list(operator), [['Hall', ['rover']]]);
      assert.deepEqual(await list(operator, [yardId]), []);
      const local = await signInWithRole(fleet(), 'operator', 'location', hallId);
      assert.deepEqual(await list(local), [['Hall', ['arm', 'rover']]]);
      assert.equal((await list(owner)).length, 2);
    });

    it('contain machines in locations that another organization shares', async () => {
      const { owner } = fleet();
      const { organizationId: ownerId, hallId } = await newFleet();
      const other = await newOrganization(owner, 'Other');
      await newMachine(owner, other.id, 'own');
      const otherOwner = await signInWithRole(fleet(), 'owner', 'organization', other.id);
      const list = async () =>
        listNames(await otherOwner.listMachineSummaries({ organizationId: other.id }));
      assert.deepEqual(await list(), [['Hall', ['own']]]);
      await owner.shareLocation({ locationId: hallId, organizationId: other.id });
      assert.deepEqual(await list(), [
        ['Hall', ['own']],
        ['Hall', ['arm', 'rover']],
      ]);
      await assertRejected(
        otherOwner.listMachineSummaries({ organizationId: ownerId }),
        Code.NotFound,
      );
    });
  });
}
