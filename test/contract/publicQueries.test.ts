import assert from 'node:assert/strict';
import type { Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { deserialize, type Document } from 'bson';
import { clientsOver } from '../../src/core/api/fleetClients';
import type { OrganizationId } from '../../src/core/model/ids';
import { WireQuerySource } from '../../src/core/query/querySource';
import { bundledProgram } from '../support/bundledProgram';
import { signIn } from '../support/serviceClients';
import {
  newRover,
  openPublicFleet,
  PUBLIC_PROTOCOLS,
  type PublicClient,
  type PublicFleet,
} from './publicFleet';

const READINGS = 2000;
const START = Date.parse('2026-02-01T00:00:00.000Z');
const TIMEOUT_MS = 120_000;

for (const protocol of PUBLIC_PROTOCOLS) {
  describe(`the public client queries readings over ${protocol}`, function () {
    this.timeout(TIMEOUT_MS);
    let fleet: PublicFleet;
    let client: PublicClient;
    let organizationId: string;
    let source: WireQuerySource;

    before(async () => {
      fleet = await openPublicFleet(protocol, {
        queryProgram: await bundledProgram('queryProcess'),
      });
      const { url, owner } = fleet;
      ({ client } = fleet);
      ({ organizationId } = owner);
      const authorization = `Bearer ${await signIn({ url, ...owner })}`;
      const bearer: Interceptor = (next) => (call) => {
        call.header.set('authorization', authorization);
        return next(call);
      };
      const transport = createGrpcTransport({ baseUrl: url, interceptors: [bearer] });
      source = new WireQuerySource(clientsOver(transport));
      const { part } = await newRover(fleet);
      const times = Array.from({ length: READINGS }, (_, n) => {
        const at = new Date(START + n * 1000);
        return [at, at] as [Date, Date];
      });
      await client.dataClient.tabularDataCaptureUpload(
        times.map((_, n) => ({ readings: { temperature: n / 4, label: `l${String(n % 2)}` } })),
        part.id,
        'rdk:component:sensor',
        'thermometer',
        'Readings',
        times,
        ['night'],
      );
    });

    after(() => fleet.close());

    it('in SQL, with every value as uploaded, also in large results', async () => {
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
      // The client encodes dates at any depth, but its types allow dates only at the top level.
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

    it('and gets the same rows as the streaming RPC', async () => {
      const stream = async (language: 'sql' | 'mql', text: string): Promise<Document[]> => {
        const rows: Document[] = [];
        const query = { organizationId: organizationId as OrganizationId, language, text };
        const never = new AbortController().signal;
        for await (const batch of source.run({ ...query, recent: false }, never)) {
          rows.push(...batch.map((document) => deserialize(document)));
        }
        return rows;
      };
      const sql = `SELECT *, data.readings.temperature AS t, count(*) OVER () AS n
        FROM readings ORDER BY time_received DESC LIMIT 700`;
      const inSql = await stream('sql', sql);
      assert.equal(inSql.length, 700);
      assert.deepEqual(await client.dataClient.tabularDataBySQL(organizationId, sql), inSql);
      const pipeline = [
        { $match: { 'data.readings.label': 'l1' } },
        { $sort: { time_received: 1 } },
        { $project: { _id: 0, tags: 1, t: { $multiply: ['$data.readings.temperature', 2] } } },
      ];
      const inMql = await stream('mql', JSON.stringify(pipeline));
      assert.equal(inMql.length, READINGS / 2);
      assert.deepEqual(await client.dataClient.tabularDataByMQL(organizationId, pipeline), inMql);
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
