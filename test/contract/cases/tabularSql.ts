import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { deserialize, type Document } from 'bson';
import type { DataClients } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { type Capturer, counting, newCapturer, second, upload } from './tabularFixture';

/** Returns the rows of a query's result. */
async function queryRows(
  { data, organizationId }: Pick<DataClients & Capturer, 'data' | 'organizationId'>,
  sqlQuery: string,
): Promise<Document[]> {
  const { rawData } = await data.tabularDataBySQL({ organizationId, sqlQuery });
  return rawData.map((document) => deserialize(document));
}

export function tabularSqlContract(fleet: FleetUnderTest): void {
  describe('SQL over readings', () => {
    it('sees a reading as a row immediately', async () => {
      const made = await newCapturer(fleet());
      assert.deepEqual(await queryRows(made, 'SELECT * FROM readings'), []);
      const values = {
        readings: { temperature: 21.5, label: 'a1', on: true, list: [1, 'b', null] },
      };
      await upload(made, made.partId, [{ at: second(5), values }], { tags: ['night', 'a b'] });
      const [row, ...more] = await queryRows(made, 'SELECT * FROM readings');
      assert.deepEqual(row, {
        organization_id: made.organizationId,
        location_id: made.locationId,
        robot_id: made.machineId,
        part_id: made.partId,
        component_type: 'rdk:component:sensor',
        component_name: 'thermometer',
        method_name: 'Readings',
        time_requested: second(5),
        time_received: second(5),
        tags: ['night', 'a b'],
        additional_parameters: {},
        data: values,
      });
      assert.equal(more.length, 0);
    });

    it('calculates with values at a path, regardless of their type', async () => {
      const made = await newCapturer(fleet());
      const values = [
        { temperature: 9.5, label: 'a1', on: true, place: { x: 1 }, list: [5] },
        { temperature: 10, label: 'b1', on: false, place: { x: 2 }, list: [6, 7] },
        { temperature: 100.25, label: 'a2', on: null },
      ];
      await upload(
        made,
        made.partId,
        values.map((readings, n) => ({ at: second(n), values: { readings } })),
      );
      assert.deepEqual(
        await queryRows(
          made,
          `SELECT data.readings.temperature, data.readings.label, r.data.readings.on AS switched,
             data.readings.place.x, data.readings.list[1], data['readings']['temperature'] + 1 AS more
           FROM readings r WHERE data.readings.temperature > 9.7 ORDER BY data.readings.temperature DESC`,
        ),
        [
          { temperature: 100.25, label: 'a2', switched: null, x: null, list: null, more: 101.25 },
          { temperature: 10, label: 'b1', switched: false, x: 2, list: 7, more: 11 },
        ].map(({ list, ...row }) => {
          const { more, ...before } = row;
          return { ...before, 'data.readings.list[1]': list, more };
        }),
      );
      assert.deepEqual(
        await queryRows(
          made,
          `SELECT avg(data.readings.temperature), max(data.readings.label) top, count(*) n
           FROM readings WHERE data.readings.label LIKE 'a%' AND component_name = 'thermometer'
             AND time_received >= '2026-02-01T00:00:00Z'`,
        ),
        [{ 'avg(data.readings.temperature)': 54.875, top: 'a2', n: 2 }],
      );
    });

    it('sees only one organization, and no deleted data', async () => {
      const [made, other] = [await newCapturer(fleet()), await newCapturer(fleet())];
      const count = 'SELECT count(*)::INT AS n, sum(data.readings.n) AS s FROM readings';
      await upload(made, made.partId, counting(0, 4));
      await upload(other, other.partId, counting(0, 9));
      assert.deepEqual(await queryRows(made, count), [{ n: 4, s: 6 }]);
      await upload(made, made.partId, counting(4, 6));
      assert.deepEqual(await queryRows(made, count), [{ n: 6, s: 15 }]);
      const { organizationId } = made;
      await made.data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
      assert.deepEqual(await queryRows(made, count), [{ n: 0, s: null }]);
      await upload(made, made.partId, counting(2, 3));
      assert.deepEqual(await queryRows(made, count), [{ n: 1, s: 2 }]);
      assert.deepEqual(await queryRows(other, count), [{ n: 9, s: 36 }]);
    });

    it('reports what is wrong with a query, and where', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 1));
      const { organizationId } = made;
      for (const [sqlQuery, expected] of [
        ['SELECT *\nFROM reading', /unknown table "reading".*line 2, column 6/],
        ['SELECT 1 WHERE x x', /syntax error at or near "x".*column 18/],
        ["SELECT 'é', data.readings.n, temp FROM readings", /"temp" not found.*column 30/],
        ['SELECT data.readings.n, nope(1) FROM readings', /nope does not exist.*column 25/],
        ['SELECT 1; SELECT 2', /one SELECT statement/],
        ['DROP TABLE readings', /SELECT/],
        ["SELECT CAST('x' AS INT)", /Could not convert string 'x'/],
      ] as const) {
        const call = made.data.tabularDataBySQL({ organizationId, sqlQuery });
        await assertRejected(call, Code.InvalidArgument, expected);
      }
      for (const request of [{ organizationId }, { sqlQuery: 'SELECT 1' }]) {
        await assertRejected(made.data.tabularDataBySQL(request), Code.InvalidArgument);
      }
    });

    it('rejects a result that is too large', async () => {
      const made = await newCapturer(fleet());
      const { organizationId } = made;
      const sqlQuery = "SELECT repeat('x', 1000000) FROM range(100)";
      await assertRejected(
        made.data.tabularDataBySQL({ organizationId, sqlQuery }),
        Code.ResourceExhausted,
        /limit it/,
      );
    });
  });
}
