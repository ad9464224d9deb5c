import assert from 'node:assert/strict';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { TagsFilterType } from '../../../src/gen/viam/app/data/v1/data_pb';
import { capture, dataClientsWithRole, type Lab, newLab, olderIds } from '../dataFixture';
import { assertRejected, type FleetUnderTest, newMachine } from '../fleetFixture';
import { INVALID_NANOS } from '../wireTimes';

const ABSENT = '00000000-0000-4000-8000-000000000000';

export function dataChangeContract(fleet: FleetUnderTest): void {
  const readMetadata = async (lab: Lab, id: string) => {
    const { data } = await lab.data.binaryDataByIDs({ binaryDataIds: [id] });
    assert.ok(data[0]?.metadata);
    return data[0].metadata;
  };
  const readTags = async (lab: Lab, id: string): Promise<string[]> =>
    (await readMetadata(lab, id)).captureMetadata?.tags ?? [];
  const count = async (lab: Lab): Promise<bigint> =>
    (await lab.data.binaryDataByFilter({ countOnly: true })).count;

  describe('deletion of binary data', () => {
    it('by IDs deletes all items, or none if one of them does not exist', async () => {
      const lab = await newLab(fleet());
      const ids = [await capture(lab, 1), await capture(lab, 2), await capture(lab, 3)];
      const [first = '', second = '', third = ''] = ids;
      const remove = (...binaryDataIds: string[]) =>
        lab.data.deleteBinaryDataByIDs({ binaryDataIds });
      await assertRejected(remove(), Code.InvalidArgument, /binary_data_ids/);
      await assertRejected(remove(first, ABSENT), Code.NotFound);
      assert.equal(await count(lab), 3n);
      assert.equal((await remove(first, first, second)).deletedCount, 2n);
      await assertRejected(remove(first), Code.NotFound);
      const older = await lab.data.deleteBinaryDataByIDs(olderIds(third));
      assert.equal(older.deletedCount, 1n);
      assert.equal(await count(lab), 0n);
    });

    it('preserves the content while another item has the same content', async () => {
      const lab = await newLab(fleet());
      const binary = Buffer.from(`the same ${lab.organizationId}`);
      const [a, b] = [await capture(lab, 1, { binary }), await capture(lab, 2, { binary })];
      await lab.data.deleteBinaryDataByIDs({ binaryDataIds: [a] });
      const { data } = await lab.data.binaryDataByIDs({ binaryDataIds: [b], includeBinary: true });
      assert.deepEqual(Buffer.from(data[0]?.binary ?? []), binary);
    });

    it('by a filter requires organizations, and deletes only matching items in them', async () => {
      const lab = await newLab(fleet());
      const other = await newLab(fleet());
      await capture(other, 1);
      await capture(lab, 1, { tags: ['old'] });
      await capture(lab, 2);
      await capture(lab, 3, { componentType: 'rdk:service:slam' });
      const remove = (filter: object, includeInternalData = false) =>
        lab.data.deleteBinaryDataByFilter({ filter, includeInternalData });
      const organizationIds = [lab.organizationId];
      await assertRejected(remove({}), Code.InvalidArgument, /organization_ids/);
      await assertRejected(lab.data.deleteBinaryDataByFilter({}), Code.InvalidArgument);
      await assertRejected(remove({ organizationIds: [other.organizationId] }), Code.NotFound);
      for (const time of INVALID_NANOS) {
        await assertRejected(
          remove({ organizationIds, interval: { end: time } }),
          Code.InvalidArgument,
          /^interval.end: .*nanos must be/,
        );
      }
      const tagsFilter = { type: TagsFilterType.TAGGED };
      assert.equal((await remove({ organizationIds, tagsFilter })).deletedCount, 1n);
      assert.equal((await remove({ organizationIds })).deletedCount, 1n);
      assert.equal((await remove({ organizationIds })).deletedCount, 0n);
      assert.equal((await remove({ organizationIds }, true)).deletedCount, 1n);
      assert.equal(await count(other), 1n);
    });

    it('requires the owner role for all selected items', async () => {
      const lab = await newLab(fleet());
      const second = await newMachine(fleet().owner, lab.organizationId, 'second');
      const own = await capture(lab, 1);
      await capture({ ...lab, part: second.part }, 2);
      const operator = await dataClientsWithRole(
        fleet(),
        'organization_operator',
        lab.organizationId,
      );
      const filter = { organizationIds: [lab.organizationId] };
      await assertRejected(
        operator.data.deleteBinaryDataByIDs({ binaryDataIds: [own] }),
        Code.PermissionDenied,
        /write_robot_data_management/,
      );
      await assertRejected(
        operator.data.deleteBinaryDataByFilter({ filter }),
        Code.PermissionDenied,
        /narrow it/,
      );
      const robotOwner = await dataClientsWithRole(fleet(), 'robot_owner', lab.machineId);
      const { deletedCount } = await robotOwner.data.deleteBinaryDataByFilter({ filter });
      assert.equal(deletedCount, 1n, 'only what the caller can see');
      assert.equal(await count(lab), 1n);
    });
  });

  describe('tags of binary data', () => {
    it('are added to items and removed from them by IDs', async () => {
      const lab = await newLab(fleet());
      const ids = [await capture(lab, 1, { tags: ['a'] }), await capture(lab, 2)];
      const [first = '', second = ''] = ids;
      await lab.data.addTagsToBinaryDataByIDs({ binaryDataIds: ids, tags: ['b', 'a'] });
      await lab.data.addTagsToBinaryDataByIDs({ binaryDataIds: ids, tags: ['b'] });
      assert.deepEqual(await readTags(lab, first), ['a', 'b']);
      assert.deepEqual(await readTags(lab, second), ['a', 'b']);
      const removed = await lab.data.removeTagsFromBinaryDataByIDs({
        binaryDataIds: [first],
        ...olderIds(second),
        tags: ['b', 'never'],
      });
      assert.equal(removed.deletedCount, 2n);
      assert.deepEqual(await readTags(lab, second), ['a']);
    });

    it('are added, removed and listed by a filter', async () => {
      const lab = await newLab(fleet());
      const [first, second] = [
        await capture(lab, 1, { componentName: 'left' }),
        await capture(lab, 2, { componentName: 'right', tags: ['c'] }),
      ];
      const left = { componentName: 'left' };
      await lab.data.addTagsToBinaryDataByFilter({ filter: left, tags: ['a', 'b'] });
      await lab.data.addTagsToBinaryDataByFilter({ tags: ['b'] });
      assert.deepEqual(await readTags(lab, first), ['a', 'b']);
      assert.deepEqual(await readTags(lab, second), ['b', 'c']);
      assert.deepEqual((await lab.data.tagsByFilter({})).tags, ['a', 'b', 'c']);
      assert.deepEqual((await lab.data.tagsByFilter({ filter: left })).tags, ['a', 'b']);
      const remove = (filter?: object) =>
        lab.data.removeTagsFromBinaryDataByFilter({ ...(filter && { filter }), tags: ['b', 'c'] });
      assert.equal((await remove(left)).deletedCount, 1n);
      assert.equal((await remove()).deletedCount, 2n);
      assert.deepEqual((await lab.data.tagsByFilter({})).tags, ['a']);
      assert.deepEqual((await (await newLab(fleet())).data.tagsByFilter({})).tags, []);
    });

    it('are changed by a filter only on the items that it lists, not on internal items', async () => {
      const lab = await newLab(fleet());
      const [listed, internal] = [
        await capture(lab, 1),
        await capture(lab, 2, { componentType: 'rdk:service:slam', tags: ['map'] }),
      ];
      await lab.data.addTagsToBinaryDataByFilter({ tags: ['a'] });
      await lab.data.removeTagsFromBinaryDataByFilter({ tags: ['map'] });
      assert.deepEqual(await readTags(lab, listed), ['a']);
      assert.deepEqual(await readTags(lab, internal), ['map']);
    });

    it('are added and removed by a filter whose result they change', async () => {
      const lab = await newLab(fleet());
      const [first, second] = [await capture(lab, 1), await capture(lab, 2, { tags: ['c'] })];
      const untagged = { tagsFilter: { type: TagsFilterType.UNTAGGED } };
      const tagged = { tagsFilter: { type: TagsFilterType.TAGGED } };
      await lab.data.addTagsToBinaryDataByFilter({ filter: untagged, tags: ['a', 'b'] });
      assert.deepEqual(await readTags(lab, first), ['a', 'b']);
      assert.deepEqual(await readTags(lab, second), ['c']);
      const tags = ['a', 'b', 'c'];
      const removed = await lab.data.removeTagsFromBinaryDataByFilter({ filter: tagged, tags });
      assert.equal(removed.deletedCount, 3n);
      const { count: left } = await lab.data.binaryDataByFilter({
        dataRequest: { filter: untagged },
      });
      assert.equal(left, 2n);
    });

    it('and labels are listed as long as an item has them', async () => {
      const lab = await newLab(fleet());
      const annotations = { bboxes: [{ label: 'cup' }] };
      const first = await capture(lab, 1, { tags: ['a'] }, { annotations });
      const second = await capture(lab, 2, { tags: ['a', 'b'] });
      const marks = async (filter = {}) => [
        ...(await lab.data.tagsByFilter({ filter })).tags,
        ...(await lab.data.boundingBoxLabelsByFilter({ filter })).labels,
      ];
      const late = { interval: { start: timestampFromMs(2000) } };
      assert.deepEqual(await marks(), ['a', 'b', 'cup']);
      assert.deepEqual(await marks(late), ['a', 'b']);
      assert.deepEqual(await marks({ bboxLabels: ['cup'] }), ['a', 'cup']);
      assert.deepEqual(await marks({ tagsFilter: { tags: ['b'] } }), ['a', 'b']);
      await lab.data.deleteBinaryDataByIDs({ binaryDataIds: [second] });
      assert.deepEqual(await marks(), ['a', 'cup']);
      await lab.data.deleteBinaryDataByIDs({ binaryDataIds: [first] });
      assert.deepEqual(await marks(), []);
    });

    it('require tags, items, and the permission to change them', async () => {
      const lab = await newLab(fleet());
      const id = await capture(lab, 1);
      const binaryDataIds = [id];
      const { data } = lab;
      const { InvalidArgument } = Code;
      await assertRejected(data.addTagsToBinaryDataByIDs({ tags: ['a'] }), InvalidArgument);
      await assertRejected(data.addTagsToBinaryDataByIDs({ binaryDataIds }), InvalidArgument);
      await assertRejected(data.removeTagsFromBinaryDataByIDs({ binaryDataIds }), InvalidArgument);
      await assertRejected(data.removeTagsFromBinaryDataByIDs({ tags: ['a'] }), InvalidArgument);
      await assertRejected(data.addTagsToBinaryDataByFilter({}), InvalidArgument, /^tags/);
      await assertRejected(data.removeTagsFromBinaryDataByFilter({}), InvalidArgument, /^tags/);
      for (const tags of [[''], [' '], ['SVC_DATASET_x']]) {
        await assertRejected(data.addTagsToBinaryDataByFilter({ tags }), InvalidArgument, /^tags/);
      }
      const both = [id, ABSENT];
      const tags = ['a'];
      await assertRejected(
        data.addTagsToBinaryDataByIDs({ binaryDataIds: both, tags }),
        Code.NotFound,
      );
      assert.deepEqual(await readTags(lab, id), []);
      const operator = await dataClientsWithRole(fleet(), 'robot_operator', lab.machineId);
      for (const request of [
        () => operator.data.addTagsToBinaryDataByIDs({ binaryDataIds, tags }),
        () => operator.data.addTagsToBinaryDataByFilter({ tags }),
        () => operator.data.removeTagsFromBinaryDataByIDs({ binaryDataIds, tags }),
        () => operator.data.removeTagsFromBinaryDataByFilter({ tags }),
      ]) {
        await assertRejected(request(), Code.PermissionDenied);
      }
    });
  });

  describe('bounding boxes', () => {
    const corners = {
      xMinNormalized: 0,
      yMinNormalized: 0.1,
      xMaxNormalized: 0.5,
      yMaxNormalized: 1,
    };

    it('are added to images, listed by their labels, and removed', async () => {
      const lab = await newLab(fleet());
      const binaryDataId = await capture(lab, 1);
      const { bboxId } = await lab.data.addBoundingBoxToImageByID({
        ...corners,
        binaryDataId,
        label: 'cup',
        confidence: 0.25,
      });
      const older: { binaryId: object } = { binaryId: { fileId: binaryDataId } };
      await lab.data.addBoundingBoxToImageByID({
        ...corners,
        ...older,
        label: 'jug',
      });
      const { annotations } = await readMetadata(lab, binaryDataId);
      const [cup, jug] = annotations?.bboxes ?? [];
      assert.deepEqual([cup?.id, cup?.label, cup?.confidence], [bboxId, 'cup', 0.25]);
      assert.deepEqual([cup?.xMinNormalized, cup?.yMinNormalized], [0, 0.1]);
      assert.deepEqual([cup?.xMaxNormalized, cup?.yMaxNormalized], [0.5, 1]);
      assert.deepEqual([jug?.label, jug?.confidence], ['jug', undefined]);
      assert.deepEqual((await lab.data.boundingBoxLabelsByFilter({})).labels, ['cup', 'jug']);
      const filter = { bboxLabels: ['jug'], componentName: 'none' };
      assert.deepEqual((await lab.data.boundingBoxLabelsByFilter({ filter })).labels, []);
      await lab.data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId });
      assert.deepEqual((await lab.data.boundingBoxLabelsByFilter({})).labels, ['jug']);
      await assertRejected(
        lab.data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId }),
        Code.NotFound,
        /^bounding box/,
      );
    });

    it('require coordinates and a confidence from 0 to 1, a label, and an image', async () => {
      const lab = await newLab(fleet());
      const binaryDataId = await capture(lab, 1);
      const add = (change: object) =>
        lab.data.addBoundingBoxToImageByID({ ...corners, binaryDataId, label: 'cup', ...change });
      for (const key of Object.keys(corners)) {
        for (const value of [-0.01, 1.01, Number.NaN]) {
          await assertRejected(add({ [key]: value }), Code.InvalidArgument, /normalized/);
        }
      }
      for (const change of [{ xMinNormalized: 0.6 }, { yMaxNormalized: 0.05 }]) {
        await assertRejected(add(change), Code.InvalidArgument, /greater/);
        const annotations = { bboxes: [{ ...corners, ...change, label: 'cup' }] };
        await assertRejected(capture(lab, 2, {}, { annotations }), Code.InvalidArgument, /greater/);
      }
      for (const confidence of [-0.01, 1.01, Number.NaN]) {
        const one = { ...corners, label: 'cup', confidence };
        for (const annotations of [{ bboxes: [one] }, { classifications: [one] }]) {
          const call = capture(lab, 2, {}, { annotations });
          await assertRejected(call, Code.InvalidArgument, /^confidence/);
        }
        await assertRejected(add(one), Code.InvalidArgument, /^confidence/);
      }
      await assertRejected(add({ label: ' ' }), Code.InvalidArgument, /^label/);
      await assertRejected(add({ binaryDataId: '' }), Code.InvalidArgument);
      await assertRejected(add({ binaryDataId: ABSENT }), Code.NotFound);
      const operator = await dataClientsWithRole(fleet(), 'robot_operator', lab.machineId);
      const { bboxId } = await add({});
      await assertRejected(
        operator.data.addBoundingBoxToImageByID({ ...corners, binaryDataId, label: 'cup' }),
        Code.PermissionDenied,
      );
      await assertRejected(
        operator.data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId }),
        Code.PermissionDenied,
      );
    });
  });
}
