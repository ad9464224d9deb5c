import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { deserialize, type Document, serialize } from 'bson';
import { TabularDataSourceType } from '../../../src/gen/viam/app/data/v1/data_pb';
import type { DataClients } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { type Capturer, counting, newCapturer, second, upload } from './tabularFixture';

type QueryContext = Pick<DataClients & Capturer, 'data' | 'organizationId'>;

function pipeline({ data, organizationId }: QueryContext, stages: readonly Document[], more = {}) {
  const mqlBinary = stages.map((stage) => serialize(stage));
  return data.tabularDataByMQL({ organizationId, mqlBinary, ...more });
}

/** Returns the documents of a pipeline's result. */
async function queryDocuments(context: QueryContext, stages: readonly Document[], more = {}) {
  const { rawData } = await pipeline(context, stages, more);
  return rawData.map((document) => deserialize(document));
}

export function tabularMqlContract(fleet: FleetUnderTest): void {
  describe('MQL over readings', () => {
    it('sees a reading as a document immediately', async () => {
      const made = await newCapturer(fleet());
      assert.deepEqual(await queryDocuments(made, []), []);
      const values = {
        readings: { temperature: 21.5, on: true, list: [1, 'b', null], none: null },
      };
      await upload(made, made.partId, [{ at: second(5), values }], { tags: ['night', 'a b'] });
      assert.deepEqual(await queryDocuments(made, []), [
        {
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
        },
      ]);
    });

    it('runs stages in sequence, in SQL and outside of it', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 120));
      const since = {
        $match: { time_received: { $gte: second(30) }, component_name: 'thermometer' },
      };
      const minute = { $dateTrunc: { date: '$time_received', unit: 'minute' } };
      const group = {
        $group: { _id: minute, mean: { $avg: '$data.readings.n' }, n: { $sum: 1 } },
      };
      const expected = [
        { _id: second(0), mean: 44.5, n: 30 },
        { _id: second(60), mean: 89.5, n: 60 },
      ];
      const sort = { $sort: { _id: 1 } };
      assert.deepEqual(await queryDocuments(made, [since, group, sort]), expected);
      const even = { $match: { $expr: { $eq: [{ $mod: ['$data.readings.n', 2] }, 0] } } };
      assert.deepEqual(
        await queryDocuments(made, [since, even, group, sort]),
        expected.map(({ mean, n, ...id }) => ({ ...id, mean: mean - 0.5, n: n / 2 })),
      );
      const latest = [
        { $sort: { time_received: -1 } },
        { $limit: 2 },
        { $project: { n: '$data.readings.n', half: { $divide: ['$data.readings.n', 2] } } },
      ];
      assert.deepEqual(await queryDocuments(made, latest), [
        { n: 119, half: 59.5 },
        { n: 118, half: 59 },
      ]);
      assert.deepEqual(await queryDocuments(made, [{ $count: 'n' }]), [{ n: 120 }]);
    });

    it('reads recent data on request, in both forms of the request', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 3));
      const types = TabularDataSourceType;
      for (const request of [
        { useRecentData: true },
        { useRecentData: false },
        { dataSource: { type: types.STANDARD }, useRecentData: true },
        { dataSource: { type: types.HOT_STORAGE } },
        { dataSource: { type: types.UNSPECIFIED }, useRecentData: true },
      ]) {
        assert.deepEqual(await queryDocuments(made, [{ $count: 'n' }], request), [{ n: 3 }]);
      }
      for (const request of [
        { dataSource: { type: types.PIPELINE_SINK, pipelineId: 'any' } },
        { queryPrefixName: 'mine' },
      ]) {
        await assertRejected(pipeline(made, [], request), Code.Unimplemented);
      }
      const unknown = { dataSource: { type: 9 as TabularDataSourceType } };
      await assertRejected(pipeline(made, [], unknown), Code.InvalidArgument, /data_source/);
    });

    it('joins readings of the organization with each other', async () => {
      const [made, other] = [await newCapturer(fleet()), await newCapturer(fleet())];
      await upload(made, made.partId, counting(0, 4));
      await upload(other, other.partId, counting(0, 9));
      const pipeline = [{ $count: 'n' }];
      const stages = [{ $limit: 1 }, { $lookup: { from: 'readings', pipeline, as: 'all' } }];
      const [joined] = await queryDocuments(made, [...stages, { $project: { all: 1 } }]);
      assert.deepEqual(joined, { all: [{ n: 4 }] });
      const facets = {
        $facet: { count: pipeline, united: [{ $unionWith: 'readings' }, ...pipeline] },
      };
      assert.deepEqual(await queryDocuments(made, [facets]), [
        { count: [{ n: 4 }], united: [{ n: 8 }] },
      ]);
    });

    it('fills gaps in a time series and compares neighbors', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, [...counting(0, 2), ...counting(4, 5)]);
      const n = 'data.readings.n';
      const sortBy = { time_received: 1 };
      const only = { $project: { n: `$${n}`, change: 1, hour: 1, at: '$time_received' } };
      const minutes = { step: 1, unit: 'second', bounds: 'full' };
      const stages = [
        { $densify: { field: 'time_received', range: minutes } },
        { $fill: { sortBy, output: { [n]: { method: 'linear' } } } },
        {
          $setWindowFields: {
            sortBy,
            output: {
              change: {
                $derivative: { input: `$${n}`, unit: 'second' },
                window: { documents: [-1, 0] },
              },
              hour: { $sum: `$${n}`, window: { range: [-1, 0], unit: 'hour' } },
            },
          },
        },
        only,
      ];
      assert.deepEqual(
        await queryDocuments(made, stages),
        [0, 1, 2, 3, 4].map((value) => ({
          change: value === 0 ? null : 1,
          hour: (value * (value + 1)) / 2,
          n: value,
          at: second(value),
        })),
      );
      const years = { ...minutes, bounds: [second(0), new Date('2100-01-01')] };
      const tooMany = [{ $densify: { field: 'time_received', range: years } }];
      await assertRejected(pipeline(made, tooMany), Code.ResourceExhausted, /would add about/);
      const graph = [{ $graphLookup: { from: 'readings' } }];
      await assertRejected(pipeline(made, graph), Code.InvalidArgument, /\$lookup for each step/);
    });

    it('sees only one organization, and no deleted data', async () => {
      const [made, other] = [await newCapturer(fleet()), await newCapturer(fleet())];
      const sum = [{ $group: { _id: null, sum: { $sum: '$data.readings.n' } } }];
      await upload(made, made.partId, counting(0, 4));
      await upload(other, other.partId, counting(0, 9));
      assert.deepEqual(await queryDocuments(made, sum), [{ _id: null, sum: 6 }]);
      const { organizationId } = made;
      await made.data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
      assert.deepEqual(await queryDocuments(made, sum), []);
      assert.deepEqual(await queryDocuments(other, sum), [{ _id: null, sum: 36 }]);
    });

    it('reports what is wrong with a pipeline, and in which stage', async () => {
      const made = await newCapturer(fleet());
      const { organizationId } = made;
      const limit = { $limit: 5 };
      for (const [stages, expected] of [
        [[limit, { $out: 'elsewhere' }], /stage 2 \(\$out\): this stage is not supported/],
        [[limit, limit, { $lookup: { from: 'x' } }], /stage 3 \(\$lookup\)/],
        [[{ $match: { $where: 'true' } }], /stage 1 \(\$match\): \$where/],
        [[{ $match: {}, $limit: 1 }], /stage 1: .*exactly one/],
        [[{}], /stage 1: .*exactly one/],
        [[{ $group: { n: { $sum: 1 } } }], /stage 1 \(\$group\): .*_id/],
        [[{ $project: { a: { $nope: 1 } } }], /stage 1 \(\$project\): .*\$nope/],
        [[{ $limit: 0 }], /stage 1 \(\$limit\)/],
      ] as const) {
        await assertRejected(pipeline(made, stages), Code.InvalidArgument, expected);
      }
      const mqlBinary = [serialize(limit), Buffer.from('no BSON')];
      const call = made.data.tabularDataByMQL({ organizationId, mqlBinary });
      await assertRejected(call, Code.InvalidArgument, /stage 2: .*BSON/);
      await assertRejected(made.data.tabularDataByMQL({ mqlBinary: [] }), Code.InvalidArgument);
    });
  });
}
