import assert from 'node:assert/strict';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import {
  type FilterSchema,
  Order,
  TagsFilterType,
} from '../../../src/gen/viam/app/data/v1/data_pb';
import {
  capture,
  type DataClients,
  dataClientsWithRole,
  type Lab,
  newLab,
  olderIds,
} from '../dataFixture';
import { assertRejected, type FleetUnderTest, newMachine } from '../fleetFixture';

type Filter = MessageInitShape<typeof FilterSchema>;
const MEBIBYTE = 1024 * 1024;
const ABSENT = '00000000-0000-4000-8000-000000000000';

export function dataReadContract(fleet: FleetUnderTest): void {
  describe('binary data', () => {
    const found = async ({ data }: Pick<DataClients, 'data'>, filter: Filter = {}) => {
      const answer = await data.binaryDataByFilter({
        dataRequest: { filter, sortOrder: Order.ASCENDING },
      });
      const bytes = answer.data.reduce(
        (sum, item) => sum + (item.metadata?.fileSizeBytes ?? 0n),
        0n,
      );
      assert.deepEqual([answer.count, answer.totalSizeBytes], [BigInt(answer.data.length), bytes]);
      return answer.data.map(({ metadata }) => metadata?.binaryDataId ?? '');
    };
    const captures = async (lab: Lab, count: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let second = 1; second <= count; second += 1) {
        ids.push(await capture(lab, second));
      }
      return ids;
    };

    it('is selected by each field of a filter, and by all of them together', async () => {
      const lab = await newLab(fleet(), 'rover');
      const other = await newMachine(fleet().owner, lab.organizationId, 'boat');
      const a = await capture(
        lab,
        10,
        { tags: ['x'] },
        { annotations: { bboxes: [{ label: 'cup' }, { label: 'cup' }] } },
      );
      const b = await capture(lab, 20, {
        componentType: 'sensor',
        componentName: 'lidar',
        methodName: 'NextPointCloud',
        fileExtension: '.pcd',
      });
      const c = await capture(
        { ...lab, part: other.part },
        30,
        { tags: ['x', 'y'] },
        { annotations: { bboxes: [{ label: '' }] } },
      );
      const { id: datasetId } = await lab.datasets.createDataset({
        organizationId: lab.organizationId,
        name: 'd',
      });
      await lab.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [b], datasetId });
      const at = (second: number) => timestampFromMs(second * 1000);
      const after = (second: number) => ({ ...at(second), nanos: 1 });
      const { MATCH_BY_OR, TAGGED, UNTAGGED } = TagsFilterType;
      const expected: [Filter, string[]][] = [
        [{}, [a, b, c]],
        [{ componentName: 'cam' }, [a, c]],
        [{ componentType: 'rdk:component:camera' }, [a, c]],
        [{ componentType: 'camera' }, [a, c]],
        [{ componentType: 'rdk:component:sensor' }, [b]],
        [{ componentType: 'rdk:service:camera' }, []],
        [{ method: 'NextPointCloud' }, [b]],
        [{ robotName: 'boat' }, [c]],
        [{ robotId: lab.machineId }, [a, b]],
        [{ partName: other.part.name }, [c]],
        [{ partId: other.part.id }, [c]],
        [{ locationIds: [other.locationId, ABSENT] }, [c]],
        [{ organizationIds: [lab.organizationId] }, [a, b, c]],
        [{ organizationIds: [ABSENT] }, []],
        [{ mimeType: ['pointcloud/pcd', 'image/png'] }, [b]],
        [{ interval: { start: at(20) } }, [b, c]],
        [{ interval: { end: at(20) } }, [a]],
        [{ interval: { start: after(20) } }, [c]],
        [{ interval: { end: after(20) } }, [a, b]],
        [{ interval: { start: at(15), end: at(25) } }, [b]],
        [{ tagsFilter: { type: MATCH_BY_OR, tags: ['y', 'z'] } }, [c]],
        [{ tagsFilter: { type: MATCH_BY_OR } }, []],
        [{ tagsFilter: { type: TAGGED } }, [a, b, c]],
        [{ tagsFilter: { type: UNTAGGED } }, []],
        [{ tagsFilter: { tags: ['x'] } }, [a, c]],
        [{ tagsFilter: {} }, [a, b, c]],
        [{ tagsFilter: { type: MATCH_BY_OR, tags: ['y', 'x', 'x'] } }, [a, c]],
        [{ tagsFilter: { tags: ['x'] }, interval: { start: at(11), end: at(31) } }, [c]],
        [{ bboxLabels: ['cup', 'jug'] }, [a]],
        [{ bboxLabels: ['cup'], tagsFilter: { type: TAGGED } }, [a]],
        [{ bboxLabels: ['cup'], tagsFilter: { type: UNTAGGED } }, []],
        [{ bboxLabels: ['cup'], tagsFilter: { tags: ['x'] } }, [a]],
        [{ datasetId, tagsFilter: { tags: ['x'] } }, []],
        [{ datasetId, tagsFilter: { type: UNTAGGED } }, []],
        [{ datasetId, bboxLabels: ['cup'] }, []],
        [{ datasetId }, [b]],
        [{ componentName: 'cam', tagsFilter: { type: MATCH_BY_OR, tags: ['y'] } }, [c]],
        [{ componentName: 'cam', robotName: 'rover', interval: { start: at(11) } }, []],
      ];
      for (const [filter, ids] of expected) {
        assert.deepEqual(await found(lab, filter), ids, JSON.stringify(Object.keys(filter)));
      }
      await lab.data.removeBinaryDataFromDatasetByIDs({ binaryDataIds: [b], datasetId });
      assert.deepEqual(await found(lab, { tagsFilter: { type: UNTAGGED } }), [b]);
    });

    it('is paged without skipping or repeating items while data is added and deleted', async () => {
      const lab = await newLab(fleet());
      const ids = await captures(lab, 7);
      const seen: string[] = [];
      let last = '';
      do {
        const page = await lab.data.binaryDataByFilter({ dataRequest: { limit: 2n, last } });
        seen.push(...page.data.map(({ metadata }) => metadata?.binaryDataId ?? ''));
        ({ last } = page);
        if (seen.length === 2) {
          await capture(lab, 100);
          // The page continues after a deleted item.
          await lab.data.deleteBinaryDataByIDs({ binaryDataIds: [ids[5] ?? ''] });
        }
      } while (last !== '');
      assert.deepEqual(seen, ids.toReversed(), 'newest first by default');
      await assertRejected(
        lab.data.binaryDataByFilter({ dataRequest: { last: 'nonsense' } }),
        Code.InvalidArgument,
        /^last:/,
      );
    });

    it('is paged correctly among items with the same timestamp', async () => {
      const lab = await newLab(fleet());
      const ids = [await capture(lab, 1), await capture(lab, 1), await capture(lab, 1)];
      const page = async (last: string) =>
        lab.data.binaryDataByFilter({
          dataRequest: { limit: 2n, last, sortOrder: Order.ASCENDING },
        });
      const first = await page('');
      const second = await page(first.last);
      const seen = [...first.data, ...second.data].map(({ metadata }) => metadata?.binaryDataId);
      assert.deepEqual(seen, ids.toSorted());
      assert.deepEqual((await page(second.last)).data, []);
    });

    it('is counted over days exactly', async () => {
      const lab = await newLab(fleet());
      const day = 86_400;
      const seconds = [-day - 1, -1, 0, day - 1, day, day + 1, 3 * day];
      const ids = await Promise.all(seconds.map((second) => capture(lab, second)));
      for (const [start, end] of [
        [0, day],
        [1, day + 1],
        [-1, 3 * day],
        [-2 * day, 2 * day],
        [day, day + 1],
        [day + 1, day],
      ] as const) {
        const interval = {
          start: timestampFromMs(start * 1000),
          end: timestampFromMs(end * 1000),
        };
        const expected = ids.filter((_, n) => {
          const second = seconds[n] ?? 0;
          return second >= start && second < end;
        });
        assert.deepEqual(await found(lab, { interval }), expected, `${start} to ${end}`);
      }
      await lab.data.deleteBinaryDataByIDs({ binaryDataIds: ids.slice(1) });
      assert.deepEqual(await found(lab), ids.slice(0, 1));
    });

    it('is in order with more sources than one merge reads', async () => {
      const lab = await newLab(fleet());
      const sources = 102;
      const ids = await Promise.all(
        Array.from({ length: sources }, (_, n) => capture(lab, n, { componentName: `cam${n}` })),
      );
      const page = async (last: string) =>
        lab.data.binaryDataByFilter({
          dataRequest: { limit: 60n, last, sortOrder: Order.ASCENDING },
        });
      const first = await page('');
      const second = await page(first.last);
      const seen = [...first.data, ...second.data].map(({ metadata }) => metadata?.binaryDataId);
      assert.deepEqual(seen, ids);
      assert.equal(second.count, BigInt(sources));
    });

    it('is returned in pages of fifty, with a count over all pages', async () => {
      const lab = await newLab(fleet());
      await Promise.all(Array.from({ length: 51 }, (_, second) => capture(lab, second)));
      const page = await lab.data.binaryDataByFilter({ dataRequest: { limit: 0n } });
      assert.deepEqual([page.data.length, page.count, page.totalSizeBytes], [50, 51n, 51n]);
      assert.equal((await lab.data.binaryDataByFilter({})).data.length, 50);
      const counted = await lab.data.binaryDataByFilter({ countOnly: true });
      assert.deepEqual([counted.data.length, counted.count], [0, 51n]);
      const all = await lab.data.binaryDataByFilter({ dataRequest: { limit: 1000n } });
      assert.equal(all.data.length, 51);
    });

    it('of SLAM services is listed only on request', async () => {
      const lab = await newLab(fleet());
      const internal = await capture(lab, 1, { componentType: 'rdk:service:slam' });
      assert.deepEqual(await found(lab), []);
      const { data } = await lab.data.binaryDataByFilter({ includeInternalData: true });
      assert.equal(data[0]?.metadata?.binaryDataId, internal);
    });

    it('is returned with its content on request, up to the size limit of a message', async () => {
      const lab = await newLab(fleet());
      const half = Buffer.alloc(17 * MEBIBYTE, 7);
      const ids = [
        await capture(lab, 1, { binary: half }),
        await capture(lab, 2, { binary: half }),
      ];
      const [one] = (
        await lab.data.binaryDataByFilter({ dataRequest: { limit: 1n }, includeBinary: true })
      ).data;
      assert.ok(half.equals(one?.binary ?? Buffer.of()));
      const without = await lab.data.binaryDataByIDs({ binaryDataIds: ids });
      assert.deepEqual(
        without.data.map(({ binary }) => binary.length),
        [0, 0],
      );
      // A page ends before the contents become too large for a message.
      const page = await lab.data.binaryDataByFilter({ includeBinary: true });
      assert.deepEqual([page.data.length, page.count], [1, 2n]);
      const dataRequest = { last: page.last };
      const rest = await lab.data.binaryDataByFilter({ includeBinary: true, dataRequest });
      assert.deepEqual(
        [...page.data, ...rest.data].map(({ metadata }) => metadata?.binaryDataId),
        ids.toReversed(),
      );
      await assertRejected(
        lab.data.binaryDataByIDs({ binaryDataIds: ids, includeBinary: true }),
        Code.ResourceExhausted,
        /metadata\.uri/,
      );
      const large = await capture(lab, 3, { binary: Buffer.alloc(33 * MEBIBYTE) });
      await assertRejected(
        lab.data.binaryDataByFilter({ includeBinary: true }),
        Code.ResourceExhausted,
        /metadata\.uri/,
      );
      const listed = await lab.data.binaryDataByFilter({ includeBinary: false });
      assert.equal(listed.data[0]?.metadata?.binaryDataId, large);
    });

    it('is read by both forms of its IDs, in their order', async () => {
      const lab = await newLab(fleet());
      const [first = '', second = ''] = await captures(lab, 2);
      const { data, count } = await lab.data.binaryDataByIDs({
        binaryDataIds: [second, second],
        ...olderIds(first),
      });
      assert.deepEqual(
        data.map(({ metadata }) => metadata?.binaryDataId),
        [second, first],
      );
      assert.equal(count, 2n);
      await assertRejected(lab.data.binaryDataByIDs({}), Code.InvalidArgument, /binary_data_ids/);
      await assertRejected(
        lab.data.binaryDataByIDs({ binaryDataIds: [first, ABSENT] }),
        Code.NotFound,
      );
    });

    it('is readable with a role on its resource, and through a shared location', async () => {
      const lab = await newLab(fleet());
      const [id = ''] = await captures(lab, 1);
      const stranger = await newLab(fleet());
      const readers = [
        await dataClientsWithRole(fleet(), 'organization_operator', lab.organizationId),
        await dataClientsWithRole(fleet(), 'location_operator', lab.locationId),
        await dataClientsWithRole(fleet(), 'robot_operator', lab.machineId),
      ];
      for (const reader of readers) {
        assert.deepEqual(await found(reader), [id]);
      }
      assert.deepEqual(await found(stranger), []);
      await assertRejected(stranger.data.binaryDataByIDs({ binaryDataIds: [id] }), Code.NotFound);
      const { organizationId } = stranger;
      await fleet().owner.shareLocation({ locationId: lab.locationId, organizationId });
      assert.deepEqual(await found(stranger), [id]);
      await assertRejected(
        stranger.data.deleteBinaryDataByIDs({ binaryDataIds: [id] }),
        Code.PermissionDenied,
      );
      const robotOwner = await dataClientsWithRole(fleet(), 'robot_owner', stranger.machineId);
      assert.deepEqual(await found(robotOwner), []);
    });

    it('is preserved when its machine is deleted, and deleted with its organization', async () => {
      const lab = await newLab(fleet(), 'rover');
      const binary = Buffer.from(`kept for ${lab.machineId}`);
      const id = await capture(lab, 1, { binary });
      await fleet().owner.deleteRobot({ id: lab.machineId });
      await fleet().owner.deleteLocation({ locationId: lab.locationId });
      const { data } = await lab.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true });
      assert.equal(data[0]?.metadata?.captureMetadata?.robotName, 'rover');
      assert.deepEqual(Buffer.from(data[0].binary), binary);
      const again = await newLab(fleet());
      const storedId = await capture(again, 1, { binary });
      await fleet().owner.deleteOrganization({ organizationId: lab.organizationId });
      assert.deepEqual(await found(again), [storedId]);
      const { data: still } = await again.data.binaryDataByIDs({
        binaryDataIds: [storedId],
        includeBinary: true,
      });
      assert.deepEqual(Buffer.from(still[0]?.binary ?? []), binary);
    });

    it('preserves the names that its machine had at the time of capture', async () => {
      const lab = await newLab(fleet(), 'rover');
      const [id = ''] = await captures(lab, 1);
      const { machineId, locationId } = lab;
      await fleet().owner.updateRobot({ id: machineId, name: 'boat', location: locationId });
      const later = await capture(lab, 2);
      assert.deepEqual(await found(lab, { robotName: 'rover' }), [id]);
      assert.deepEqual(await found(lab, { robotName: 'boat' }), [later]);
    });
  });
}
