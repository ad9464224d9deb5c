import assert from 'node:assert/strict';
import { type FleetService, openFleetService } from '../../src/service/fleetService';
import { type FleetServer, startFleetServer } from '../../src/service/server/fleetServer';
import { connectPublicClient, type PublicClientProtocol } from '../publicClient/publicClient';
import { queryProgram } from '../support/queryProgram';
import { silentLogger } from '../support/silentLogger';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const PROTOCOLS: PublicClientProtocol[] = ['grpc-web', 'grpc'];
const READINGS = 2000;
const START = Date.parse('2026-02-01T00:00:00.000Z');
const TIMEOUT_MS = 20_000;

for (const protocol of PROTOCOLS) {
  describe(`the public client queries readings over ${protocol}`, function () {
    this.timeout(TIMEOUT_MS);
    let service: FleetService;
    let server: FleetServer;
    let client: PublicClient;
    let organizationId: string;

    before(async () => {
      service = await openFleetService({
        logger: silentLogger,
        queryProgram: await queryProgram(),
      });
      const owner = await service.bootstrap();
      ({ organizationId } = owner);
      const { routes, interceptors } = service;
      server = await startFleetServer({
        ...{ host: '127.0.0.1', port: 0, logger: silentLogger },
        ...{ routes, interceptors },
      });
      client = await connectPublicClient({ url: server.url, ...owner }, protocol);
      const location = await client.appClient.createLocation(organizationId, 'Hall');
      const machineId = await client.appClient.newRobot(location?.id ?? '', 'rover');
      const [part] = await client.appClient.getRobotParts(machineId);
      const times = Array.from({ length: READINGS }, (_, n) => {
        const at = new Date(START + n * 1000);
        return [at, at] as [Date, Date];
      });
      await client.dataClient.tabularDataCaptureUpload(
        times.map((_, n) => ({ readings: { temperature: n / 4, label: `l${String(n % 2)}` } })),
        ...([part?.id ?? '', 'rdk:component:sensor', 'thermometer', 'Readings'] as const),
        times,
        ['night'],
      );
    });

    after(async () => {
      await server.close();
      await service.close();
    });

    it('in SQL, with every value as it was sent, also in large answers', async () => {
      const rows = await client.dataClient.tabularDataBySQL(
        organizationId,
        'SELECT * FROM readings ORDER BY time_received',
      );
      assert.equal(rows.length, READINGS);
      const values = rows as { data: { readings: { temperature: number } }; tags: string[] }[];
      assert.ok(values.every(({ data }, n) => data.readings.temperature === n / 4));
      assert.deepEqual(values[0]?.tags, ['night']);
      const [summary] = await client.dataClient.tabularDataBySQL(
        organizationId,
        `SELECT data.readings.label, max(data.readings.temperature) AS hottest, count(*) AS n
         FROM readings WHERE data.readings.label = 'l1' GROUP BY ALL`,
      );
      assert.deepEqual(summary, { label: 'l1', hottest: (READINGS - 1) / 4, n: READINGS / 2 });
    });

    it('in MQL, over all data and over recent data', async () => {
      const pipeline = [
        { $match: { 'data.readings.temperature': { $gte: 10 } } },
        { $group: { _id: '$component_name', mean: { $avg: '$data.readings.temperature' } } },
      ];
      const expected = [{ _id: 'thermometer', mean: (10 + (READINGS - 1) / 4) / 2 }];
      for (const recent of [false, true]) {
        const rows = await client.dataClient.tabularDataByMQL(organizationId, pipeline, recent);
        assert.deepEqual(rows, expected);
      }
      // The client encodes dates wherever they are, and its types know them at the top alone.
      const from: unknown = new Date(START + (READINGS - 3) * 1000);
      const since = await client.dataClient.tabularDataByMQL(organizationId, [
        { $match: { time_received: { $gte: from as string } } },
        { $sort: { time_received: 1 } },
        { $project: { _id: 0, value: '$data.readings.temperature' } },
      ]);
      assert.deepEqual(
        since,
        [3, 2, 1].map((left) => ({ value: (READINGS - left) / 4 })),
      );
    });

    it('and reads what is wrong with a query, and where', async () => {
      await assert.rejects(
        client.dataClient.tabularDataBySQL(organizationId, 'SELECT nothing FROM readings'),
        /nothing.*line 1, column 8/,
      );
      await assert.rejects(
        client.dataClient.tabularDataByMQL(organizationId, [{ $out: 'elsewhere' }]),
        /stage 1 \(\$out\)/,
      );
    });
  });
}
