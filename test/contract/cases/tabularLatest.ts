import assert from 'node:assert/strict';
import { anyPack, StringValueSchema, timestampDate, ValueSchema } from '@bufbuild/protobuf/wkt';
import { create, type JsonObject } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { dataClientsWithRole } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import {
  counting,
  machineClients,
  newCapturer,
  ofThermometer,
  second,
  upload,
} from './tabularFixture';

const DAY = 86_400_000;

export function tabularLatestContract(fleet: FleetUnderTest): void {
  describe('the latest reading', () => {
    it('is the one captured last, regardless of upload order and tags', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(5, 9), { tags: ['a'] });
      await upload(made, made.partId, counting(0, 4));
      await upload(made, made.partId, counting(20, 30), { componentName: 'other' });
      const latest = await made.data.getLatestTabularData(ofThermometer(made.partId));
      assert.deepEqual(latest.payload, { readings: { n: 8 } });
      assert.ok(latest.timeCaptured && latest.timeSynced);
      assert.deepEqual(timestampDate(latest.timeCaptured), second(8));
      const synced = timestampDate(latest.timeSynced).getTime();
      assert.ok(Math.abs(synced - fleet().clock.now().getTime()) < 5000);
    });

    it('is found with the full or the bare type, whichever was uploaded', async () => {
      const made = await newCapturer(fleet());
      for (const [from, componentType] of [
        [0, 'sensor'],
        [5, 'rdk:component:sensor'],
      ] as const) {
        await upload(made, made.partId, counting(from, from + 1), { componentType });
        for (const resourceSubtype of ['sensor', 'rdk:component:sensor']) {
          const request = { ...ofThermometer(made.partId), resourceSubtype };
          const { payload } = await made.data.getLatestTabularData(request);
          assert.deepEqual(payload, { readings: { n: from } });
        }
      }
      const camera = { ...ofThermometer(made.partId), resourceSubtype: 'camera' };
      assert.equal((await made.data.getLatestTabularData(camera)).payload, undefined);
    });

    it('is empty if there never was one, or none was stored in the last year', async () => {
      const made = await newCapturer(fleet());
      const fetchLatest = () => made.data.getLatestTabularData(ofThermometer(made.partId));
      const empty = await fetchLatest();
      assert.deepEqual(
        [empty.payload, empty.timeCaptured, empty.timeSynced],
        [undefined, undefined, undefined],
      );
      await upload(made, made.partId, counting(0, 1));
      fleet().clock.advance(364 * DAY);
      assert.deepEqual((await fetchLatest()).payload, { readings: { n: 0 } });
      fleet().clock.advance(2 * DAY);
      assert.equal((await fetchLatest()).payload, undefined);
      await upload(made, made.partId, counting(1, 2));
      assert.deepEqual((await fetchLatest()).payload, { readings: { n: 1 } });
    });

    it('can be requested by the parameters of its capture', async () => {
      const made = await newCapturer(fleet());
      const parametersFor = (name: string) => ({
        methodParameters: {
          command: anyPack(
            ValueSchema,
            create(ValueSchema, {
              kind: {
                case: 'structValue',
                value: {
                  fields: {
                    b: { kind: { case: 'numberValue', value: 1 } },
                    a: { kind: { case: 'stringValue', value: name } },
                  },
                },
              },
            }),
          ),
          note: anyPack(StringValueSchema, create(StringValueSchema, { value: 'x "y"' })),
        },
      });
      await upload(made, made.partId, counting(0, 1), parametersFor('one'));
      await upload(made, made.partId, counting(1, 2), parametersFor('two'));
      const fetchLatest = async (additionalParameters: JsonObject) => {
        const request = { ...ofThermometer(made.partId), additionalParameters };
        return (await made.data.getLatestTabularData(request)).payload;
      };
      assert.deepEqual(await fetchLatest({ command: { a: 'one', b: 1 } }), { readings: { n: 0 } });
      assert.deepEqual(await fetchLatest({ note: 'x "y"' }), { readings: { n: 1 } });
      assert.deepEqual(await fetchLatest({}), { readings: { n: 1 } });
      assert.equal(await fetchLatest({ command: { a: 'three', b: 1 } }), undefined);
    });

    it('is limited to those who can read data of the part', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 1));
      const request = ofThermometer(made.partId);
      const operator = await dataClientsWithRole(fleet(), 'robot_operator', made.machineId);
      assert.ok((await operator.data.getLatestTabularData(request)).payload);
      const machine = await machineClients(fleet(), made);
      await assertRejected(machine.data.getLatestTabularData(request), Code.PermissionDenied);
      const stranger = await newCapturer(fleet());
      await assertRejected(stranger.data.getLatestTabularData(request), Code.NotFound);
      await assertRejected(
        made.data.getLatestTabularData({ ...request, methodName: '' }),
        Code.InvalidArgument,
        /method_name/,
      );
      // After the part is deleted, its data is still not accessible to other users.
      await fleet().owner.deleteRobot({ id: made.machineId });
      await assertRejected(stranger.data.getLatestTabularData(request), Code.NotFound);
    });
  });
}
