import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { TagsFilterType } from '../../../src/gen/viam/app/data/v1/data_pb';
import { type DataClients, dataClientsWithRole } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { capturerIn, counting, newCapturer, upload } from './tabularFixture';

const DAY = 86_400_000;

export function tabularDeletionContract(fleet: FleetUnderTest): void {
  describe('deletion of readings', () => {
    const left = async ({ data }: Pick<DataClients, 'data'>) => {
      const { data: rows, count } = await data.tabularDataByFilter({});
      assert.equal(count, BigInt(rows.length));
      return rows.map((row) => row.data?.n).sort();
    };
    /** Returns readings captured at noon today, yesterday, and so on. */
    const days = (count: number) => {
      const noon = Math.floor(fleet().clock.now().getTime() / DAY) * DAY + DAY / 2;
      return Array.from({ length: count }, (_, n) => ({
        at: new Date(noon - n * DAY),
        values: { n },
      }));
    };

    it('applies to whole UTC days, and to all data with 0', async () => {
      const made = await newCapturer(fleet());
      const { organizationId } = made;
      await upload(made, made.partId, days(5));
      const remove = async (deleteOlderThanDays: number) =>
        (await made.data.deleteTabularData({ organizationId, deleteOlderThanDays })).deletedCount;
      assert.equal(await remove(10), 0n);
      assert.equal(await remove(3), 1n);
      assert.deepEqual(await left(made), [0, 1, 2, 3]);
      assert.equal(await remove(1), 2n);
      assert.deepEqual(await left(made), [0, 1]);
      assert.equal(await remove(1), 0n);
      assert.equal(await remove(0), 2n);
      assert.deepEqual(await left(made), []);
      assert.equal(await remove(0), 0n);
      await upload(made, made.partId, days(1));
      assert.deepEqual(await left(made), [0]);
    });

    it('is limited to its organization and filter', async () => {
      const made = await newCapturer(fleet());
      const { organizationId } = made;
      const other = await capturerIn(fleet(), organizationId);
      const stranger = await newCapturer(fleet());
      const at = fleet().clock.now();
      const [first, second, third] = [1, 2, 3].map((n) => [{ at, values: { n } }]);
      assert.ok(first && second && third);
      await upload(made, made.partId, first, { tags: ['a'] });
      await upload(made, made.partId, second, { componentName: 'gauge' });
      await upload(other, other.partId, third);
      await upload(stranger, stranger.partId, first);
      const remove = async (filter: object) =>
        (
          await made.data.deleteTabularData({
            organizationId,
            deleteOlderThanDays: 0,
            filter,
          })
        ).deletedCount;
      assert.equal(await remove({ locationIds: ['nothing'] }), 0n);
      assert.equal(await remove({ partId: other.partId, componentType: 'sensor' }), 1n);
      assert.deepEqual(await left(made), [1, 2]);
      const tagsFilter = { type: TagsFilterType.TAGGED, tags: [] };
      assert.equal(await remove({ tagsFilter }), 1n);
      assert.equal(await remove({ componentName: 'gauge', method: 'Readings' }), 1n);
      assert.deepEqual(await left(made), []);
      assert.deepEqual(await left(stranger), [1]);
    });

    it('removes all of many readings', async () => {
      const made = await newCapturer(fleet());
      const { organizationId } = made;
      for (let start = 0; start < 6000; start += 3000) {
        await upload(made, made.partId, counting(start, start + 3000));
      }
      const answer = await made.data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
      assert.equal(answer.deletedCount, 6000n);
      assert.deepEqual(await left(made), []);
    });

    it('requires an owner of the organization', async () => {
      const made = await newCapturer(fleet());
      await upload(made, made.partId, counting(0, 1));
      const request = { organizationId: made.organizationId, deleteOlderThanDays: 0 };
      for (const [role, id] of [
        ['organization_operator', made.organizationId],
        ['location_owner', made.locationId],
        ['robot_owner', made.machineId],
      ] as const) {
        const { data } = await dataClientsWithRole(fleet(), role, id);
        await assertRejected(data.deleteTabularData(request), Code.PermissionDenied);
      }
      const { data } = await newCapturer(fleet());
      await assertRejected(data.deleteTabularData(request), Code.NotFound);
      assert.equal((await made.data.tabularDataByFilter({ countOnly: true })).count, 1n);
    });
  });
}
