import assert from 'node:assert/strict';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import type { ExportTabularDataResponse } from '../../../src/gen/viam/app/data/v1/data_pb';
import { dataClientsWithRole } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { INVALID_NANOS } from '../wireTimes';
import {
  type Capturer,
  counting,
  newCapturer,
  ofThermometer,
  second,
  upload,
} from './tabularFixture';

export function tabularExportContract(fleet: FleetUnderTest): void {
  describe('exports of readings', () => {
    type Request = Parameters<Capturer['data']['exportTabularData']>[0];

    const exported = async (
      { data }: Pick<Capturer, 'data'>,
      request: Request,
    ): Promise<ExportTabularDataResponse[]> => {
      const rows: ExportTabularDataResponse[] = [];
      for await (const row of data.exportTabularData(request)) {
        rows.push(row);
      }
      return rows;
    };
    const numbers = (rows: readonly ExportTabularDataResponse[]) =>
      rows.map(({ payload }) => (payload?.readings as { n: number }).n);

    it('return every reading of a resource once, oldest first, with all capture metadata', async () => {
      const made = await newCapturer(fleet(), 'rover');
      await upload(made, made.partId, counting(1000, 2100), { tags: ['b'] });
      await upload(made, made.partId, counting(0, 1000));
      await upload(made, made.partId, counting(0, 10), { componentName: 'other' });
      await upload(made, made.partId, counting(0, 10), { methodName: 'DoCommand' });
      const rows = await exported(made, ofThermometer(made.partId));
      assert.deepEqual(
        numbers(rows),
        Array.from({ length: 2100 }, (_, n) => n),
      );
      const last = rows.at(-1);
      const { organizationId, locationId, machineId, partId } = made;
      assert.deepEqual(
        [last?.organizationId, last?.locationId, last?.robotId, last?.robotName, last?.partId],
        [organizationId, locationId, machineId, 'rover', partId],
      );
      assert.deepEqual(
        [last?.partName, last?.resourceName, last?.resourceSubtype, last?.methodName],
        ['rover-main', 'thermometer', 'rdk:component:sensor', 'Readings'],
      );
      assert.deepEqual(last?.tags, ['b']);
      assert.ok(rows.every((row) => row.timeCaptured && row.methodParameters && row.payload));
    });

    it('are limited to an interval with an exclusive end', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 10));
      const within = async (start: number | undefined, end: number | undefined) =>
        numbers(
          await exported(made, {
            ...ofThermometer(made.partId),
            interval: {
              ...(start !== undefined && { start: timestampFromDate(second(start)) }),
              ...(end !== undefined && { end: timestampFromDate(second(end)) }),
            },
          }),
        );
      assert.deepEqual(await within(3, 6), [3, 4, 5]);
      assert.deepEqual(await within(8, undefined), [8, 9]);
      assert.deepEqual(await within(undefined, 2), [0, 1]);
      assert.deepEqual(await within(6, 3), []);
      for (const time of INVALID_NANOS) {
        await assertRejected(
          exported(made, { ...ofThermometer(made.partId), interval: { start: time } }),
          Code.InvalidArgument,
          /^interval.start: .*nanos must be/,
        );
      }
    });

    it('end when the caller disconnects', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 3000));
      const leave = new AbortController();
      let seen = 0;
      await assertRejected(
        (async () => {
          const stream = made.data.exportTabularData(ofThermometer(made.partId), {
            signal: leave.signal,
          });
          for await (const row of stream) {
            assert.ok(row.payload);
            seen += 1;
            if (seen === 10) leave.abort();
          }
        })(),
        Code.Canceled,
      );
      assert.ok(seen >= 10 && seen < 3000, String(seen));
    });

    it('are rejected under the same rules as the latest reading', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 1));
      const request = ofThermometer(made.partId);
      const operator = await dataClientsWithRole(fleet(), 'location_operator', made.locationId);
      assert.equal((await exported(operator, request)).length, 1);
      const stranger = await newCapturer(fleet());
      await assertRejected(exported(stranger, request), Code.NotFound);
      await assertRejected(exported(made, { ...request, partId: 'nothing' }), Code.NotFound);
      await assertRejected(
        exported(made, { ...request, resourceName: '' }),
        Code.InvalidArgument,
        /resource_name/,
      );
    });
  });
}
