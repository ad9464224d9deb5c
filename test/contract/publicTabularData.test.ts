import assert from 'node:assert/strict';
import { dataApi } from '../publicClient/publicClient';
import {
  newRover,
  openPublicFleet,
  PUBLIC_PROTOCOLS,
  type PublicClient,
  type PublicFleet,
} from './publicFleet';

const SENSOR = 'rdk:component:sensor';

for (const protocol of PUBLIC_PROTOCOLS) {
  describe(`the public client works with readings over ${protocol}`, () => {
    let fleet: PublicFleet;
    let client: PublicClient;
    let organizationId: string;
    let partId: string;

    before(async () => {
      fleet = await openPublicFleet(protocol);
      ({ client } = fleet);
      ({ organizationId } = fleet.owner);
      partId = (await newRover(fleet)).part.id;
    });

    after(() => fleet.close());

    it('and uploads, reads, exports, pages, and deletes them', async () => {
      const { dataClient } = client;
      const count = 60;
      const times = Array.from({ length: count }, (_, n) => {
        const at = new Date(Date.now() - (count - n) * 1000);
        return [at, new Date(at.getTime() + 5)] as [Date, Date];
      });
      const readings = times.map((_, n) => ({
        readings: { temperature: n / 4, label: `n${String(n)}` },
      }));
      const source: [string, string, string, string] = [partId, SENSOR, 'thermometer', 'Readings'];
      const fileId = await dataClient.tabularDataCaptureUpload(readings, ...source, times, [
        'night',
      ]);
      assert.ok(fileId);

      const latest = await dataClient.getLatestTabularData(
        partId,
        'thermometer',
        SENSOR,
        'Readings',
      );
      assert.deepEqual(latest?.[0], times.at(-1)?.[0]);
      assert.deepEqual(latest?.[2], readings.at(-1));
      const never = [partId, 'thermometer', SENSOR, 'Other'] as const;
      assert.equal(await dataClient.getLatestTabularData(...never), null);

      const rows = await dataClient.exportTabularData(partId, 'thermometer', SENSOR, 'Readings');
      assert.deepEqual(
        rows.map(({ payload }) => payload),
        readings,
      );
      assert.deepEqual([rows[0]?.robotName, rows[0]?.tags], ['rover', ['night']]);
      const few = await dataClient.exportTabularData(
        partId,
        'thermometer',
        'sensor',
        'Readings',
        times[10]?.[0],
        times[20]?.[0],
      );
      assert.equal(few.length, 10);

      const filter = new dataApi.Filter({ componentName: 'thermometer', partId });
      const first = await dataClient.tabularDataByFilter(filter);
      assert.deepEqual([first.data.length, Number(first.count)], [50, count]);
      const second = await dataClient.tabularDataByFilter(filter, undefined, undefined, first.last);
      assert.equal(second.data.length, 10);
      const end = await dataClient.tabularDataByFilter(filter, 5, undefined, second.last);
      assert.equal(end.data.length, 0);

      assert.equal(await dataClient.deleteTabularData(organizationId, 1), 0n);
      assert.equal(await dataClient.deleteTabularData(organizationId, 0), BigInt(count));
    });
  });
}
