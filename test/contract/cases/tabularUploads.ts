import assert from 'node:assert/strict';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { DataType } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { dataClientsWithRole } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { FIRST_TIME, LAST_TIME, NO_TIMES } from '../wireTimes';
import {
  capturerIn,
  counting,
  machineClients,
  newCapturer,
  second,
  thermometer,
  upload,
} from './tabularFixture';

export function tabularUploadContract(fleet: FleetUnderTest): void {
  describe('uploads of readings', () => {
    it('preserve every value, the order of keys, the times, the tags, and what captured them', async () => {
      const made = await newCapturer(fleet(), 'rover');
      const values = {
        readings: { z: 0.1, a: -1e300, nested: { list: [1, null, 'x', { b: true, a: {} }] } },
        'with "quotes"\n': 2 ** 53 - 1,
        empty: '',
      };
      const { fileId, binaryDataId } = await made.sync.dataCaptureUpload({
        metadata: thermometer(made.partId, { tags: ['night', 'a "b"\n', 'night'] }),
        sensorContents: [
          {
            metadata: {
              timeRequested: { seconds: 1_770_000_000n, nanos: 123_456_789 },
              timeReceived: { seconds: 1_770_000_001n, nanos: 1000 },
            },
            data: { case: 'struct', value: values },
          },
        ],
      });
      assert.match(fileId, /^[0-9a-f-]{36}$/);
      assert.equal(binaryDataId, '');
      const page = await made.data.tabularDataByFilter({});
      const [row] = page.data;
      assert.deepEqual(row?.data, values);
      assert.equal(JSON.stringify(row.data), JSON.stringify(values));
      assert.equal(row.timeRequested?.nanos, 123_456_000);
      assert.equal(row.timeReceived?.seconds, 1_770_000_001n);
      const captured = page.metadata[row.metadataIndex];
      assert.deepEqual(
        [captured?.organizationId, captured?.locationId, captured?.robotId, captured?.robotName],
        [made.organizationId, made.locationId, made.machineId, 'rover'],
      );
      assert.deepEqual(
        [captured?.partId, captured?.partName, captured?.componentType, captured?.componentName],
        [made.partId, 'rover-main', 'rdk:component:sensor', 'thermometer'],
      );
      assert.deepEqual(captured?.tags, ['night', 'a "b"\n']);
    });

    it('without times get the time of their arrival', async () => {
      const made = await newCapturer(fleet());
      await made.sync.dataCaptureUpload({
        metadata: thermometer(made.partId),
        sensorContents: [{ data: { case: 'struct', value: { n: 1 } } }],
      });
      const { data } = await made.data.tabularDataByFilter({});
      const seconds = Math.floor(fleet().clock.now().getTime() / 1000);
      assert.ok(Math.abs(Number(data[0]?.timeRequested?.seconds) - seconds) < 5);
    });

    it('are allowed for the machine itself and its owner only', async () => {
      const made = await newCapturer(fleet());
      await upload(await machineClients(fleet(), made), made.partId, counting(0, 2));
      const robotOwner = await dataClientsWithRole(fleet(), 'robot_owner', made.machineId);
      await upload(robotOwner, made.partId, counting(2, 3));
      const operator = await dataClientsWithRole(fleet(), 'robot_operator', made.machineId);
      await assertRejected(upload(operator, made.partId, counting(3, 4)), Code.PermissionDenied);
      const stranger = await newCapturer(fleet());
      await assertRejected(upload(stranger, made.partId, counting(3, 4)), Code.NotFound);
      const other = await capturerIn(fleet(), made.organizationId);
      const machine = await machineClients(fleet(), other);
      await assertRejected(upload(machine, made.partId, counting(3, 4)), Code.NotFound);
      await assertRejected(
        upload(made, 'nothing', counting(3, 4)),
        Code.NotFound,
        /part "nothing"/,
      );
      assert.equal((await made.data.tabularDataByFilter({ countOnly: true })).count, 3n);
    });

    it('that break a rule store nothing, and report which content is wrong', async () => {
      const made = await newCapturer(fleet());
      const good = { data: { case: 'struct', value: { n: 1 } } } as const;
      const binary = { data: { case: 'binary', value: new Uint8Array([1]) } } as const;
      const send = (metadata: Parameters<typeof thermometer>[1], ...contents: object[]) =>
        made.sync.dataCaptureUpload({
          metadata: thermometer(made.partId, metadata),
          sensorContents: contents,
        });
      const expectRejection = (call: Promise<unknown>, message: RegExp) =>
        assertRejected(call, Code.InvalidArgument, message);
      await expectRejection(send({}, good, binary), /sensor_contents\[1\]/);
      await expectRejection(send({}, good, {}), /sensor_contents\[1\]/);
      await expectRejection(send({}), /sensor_contents/);
      await expectRejection(send({ type: DataType.UNSPECIFIED }, good), /type/);
      await expectRejection(send({ type: DataType.FILE }, good), /type/);
      await expectRejection(send({ type: DataType.BINARY_SENSOR }, good), /sensor_contents/);
      await expectRejection(send({ partId: '' }, good), /part_id/);
      await expectRejection(send({ componentName: ' ' }, good), /component_name/);
      await expectRejection(send({ methodName: '' }, good), /method_name/);
      await expectRejection(send({ tags: [''] }, good), /tags/);
      const large = { data: { case: 'struct', value: { text: 'x'.repeat(4_000_001) } } } as const;
      await expectRejection(send({}, good, large), /sensor_contents\[1\].*4 MB/);
      assert.equal((await made.data.tabularDataByFilter({ countOnly: true })).count, 0n);
      const fits = { data: { case: 'struct', value: { text: 'x'.repeat(3_900_000) } } } as const;
      await send({}, fits);
      assert.equal((await made.data.tabularDataByFilter({ countOnly: true })).count, 1n);
    });

    it('with an invalid time, or one that would not be preserved exactly, store nothing', async () => {
      const made = await newCapturer(fleet());
      const good = { data: { case: 'struct', value: { n: 1 } } } as const;
      const expectRejection = async (time: typeof FIRST_TIME, why: string): Promise<void> => {
        for (const [name, field] of [
          ['timeRequested', 'time_requested'],
          ['timeReceived', 'time_received'],
        ] as const) {
          const sensorContents = [good, { ...good, metadata: { [name]: time } }];
          await assertRejected(
            made.sync.dataCaptureUpload({ metadata: thermometer(made.partId), sensorContents }),
            Code.InvalidArgument,
            new RegExp(`^sensor_contents\\[1\\]\\.metadata\\.${field}: .*${why}`),
          );
        }
      };
      for (const time of NO_TIMES) await expectRejection(time, 'years 1 to 9999');
      for (const time of [FIRST_TIME, LAST_TIME]) await expectRejection(time, 'years 1685 to 2254');
      assert.equal((await made.data.tabularDataByFilter({ countOnly: true })).count, 0n);
    });

    it('with the same timestamp are all stored', async () => {
      const made = await newCapturer(fleet());
      const time = timestampFromDate(second(0));
      await made.sync.dataCaptureUpload({
        metadata: thermometer(made.partId),
        sensorContents: Array.from({ length: 700 }, (_, n) => ({
          metadata: { timeRequested: time },
          data: { case: 'struct', value: { n } },
        })),
      });
      const { data, count } = await made.data.tabularDataByFilter({
        dataRequest: { limit: 1000n },
      });
      assert.equal(count, 700n);
      assert.equal(new Set(data.map((row) => row.data?.n)).size, 700);
    });

    it('are preserved after their machine is deleted, under its old names, but not after their organization is', async () => {
      const { owner } = fleet();
      const made = await newCapturer(fleet(), 'old name');
      await upload(made, made.partId, counting(0, 1));
      await owner.updateRobot({
        id: made.machineId,
        name: 'new name',
        location: made.locationId,
      });
      await upload(made, made.partId, counting(1, 2));
      await owner.deleteRobot({ id: made.machineId });
      await owner.deleteLocation({ locationId: made.locationId });
      const { data, metadata } = await made.data.tabularDataByFilter({});
      assert.deepEqual(
        data.map((row) => metadata[row.metadataIndex]?.robotName),
        ['new name', 'old name'],
      );
      const { partId, organizationId } = made;
      const latest = await made.data.getLatestTabularData({
        partId,
        resourceName: 'thermometer',
        resourceSubtype: 'sensor',
        methodName: 'Readings',
      });
      assert.deepEqual(latest.payload, { readings: { n: 1 } });
      await owner.deleteOrganization({ organizationId });
    });
  });
}
