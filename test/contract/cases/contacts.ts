import assert from 'node:assert/strict';
import { createClient } from '@connectrpc/connect';
import { DataSyncService, DataType } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { OnlineState } from '../../../src/gen/viam/app/v1/machine_pb';
import { RobotService } from '../../../src/gen/viam/app/v1/robot_pb';
import { authClient, bearerTransport, signInAsPart } from '../deployment';
import { type FleetUnderTest, newMachine, newOrganization } from '../fleetFixture';

const SECOND_MS = 1000;
const SILENCE_SECONDS = 90;

export function contactContract(fleet: FleetUnderTest): void {
  describe('contacts of machines', () => {
    const newPart = async () => {
      const { owner, deployment } = fleet();
      const { part, machineId } = await newMachine(owner, (await newOrganization(owner)).id);
      const { id } = part;
      const accessToken = await signInAsPart(deployment, part);
      const transport = bearerTransport(deployment, accessToken);
      const readState = async () => {
        const { part: found } = await owner.getRobotPart({ id });
        const { robot } = await owner.getRobot({ id: machineId });
        assert.deepEqual(robot?.lastAccess, found?.lastAccess);
        assert.equal(robot?.onlineState, found?.onlineState);
        return [found?.onlineState, found?.secondsSinceOnline];
      };
      return { id, transport, stateOf: readState };
    };

    it('report whether a machine is online, and since when it is offline', async () => {
      const { id, transport, stateOf: readState } = await newPart();
      const { clock } = fleet();
      const robot = createClient(RobotService, transport);
      assert.deepEqual(await readState(), [OnlineState.AWAITING_SETUP, 0n]);
      await robot.needsRestart({ id });
      assert.deepEqual(await readState(), [OnlineState.ONLINE, 0n]);
      clock.advance(SILENCE_SECONDS * SECOND_MS);
      const [state, seconds] = await readState();
      assert.equal(state, OnlineState.OFFLINE);
      // The service never uses the same time twice, so its time can be slightly ahead.
      assert.ok(Math.abs(Number(seconds) - SILENCE_SECONDS) <= 1, `${seconds}`);
      await robot.log({ id, logs: [] });
      assert.deepEqual(await readState(), [OnlineState.ONLINE, 0n]);
    });

    it('count for the machine as soon as one of its parts makes a call', async () => {
      const { owner, deployment, clock } = fleet();
      const { machineId, part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { partId } = await owner.newRobotPart({ robotId: machineId, partName: 'arm' });
      for (const id of [part.id, partId]) {
        const { part: found } = await owner.getRobotPart({ id });
        const payload = found?.secrets[0]?.secret ?? '';
        const credentials = { type: 'robot-secret', payload };
        const { accessToken } = await authClient(deployment).authenticate({
          entity: id,
          credentials,
        });
        clock.advance(SILENCE_SECONDS * SECOND_MS);
        const machine = createClient(RobotService, bearerTransport(deployment, accessToken));
        await machine.needsRestart({ id });
        const { part: called } = await owner.getRobotPart({ id });
        const { robot } = await owner.getRobot({ id: machineId });
        assert.deepEqual(robot?.lastAccess, called?.lastAccess);
        assert.equal(robot?.onlineState, OnlineState.ONLINE);
      }
    });

    it('include uploads', async () => {
      const { id, transport, stateOf: readState } = await newPart();
      await createClient(DataSyncService, transport).dataCaptureUpload({
        metadata: {
          partId: id,
          componentType: 'rdk:component:sensor',
          componentName: 'climate',
          methodName: 'Readings',
          type: DataType.TABULAR_SENSOR,
        },
        sensorContents: [{ data: { case: 'struct', value: { readings: { celsius: 21 } } } }],
      });
      assert.deepEqual(await readState(), [OnlineState.ONLINE, 0n]);
    });

    it('exclude calls by users', async () => {
      const { id, stateOf: readState } = await newPart();
      await fleet().owner.getRobotPartLogs({ id });
      await fleet().owner.markPartForRestart({ partId: id });
      assert.deepEqual(await readState(), [OnlineState.AWAITING_SETUP, 0n]);
    });
  });
}
