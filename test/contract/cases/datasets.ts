import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { DatasetType } from '../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { capture, dataClientsWithRole, type Lab, newLab, olderIds } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';

const ABSENT = '00000000-0000-4000-8000-000000000000';

export function datasetContract(fleet: FleetUnderTest): void {
  describe('datasets', () => {
    const newDataset = async (lab: Lab, name = 'cups', type?: DatasetType): Promise<string> => {
      const { organizationId } = lab;
      return (await lab.datasets.createDataset({ organizationId, name, ...(type && { type }) })).id;
    };
    const readTags = async (lab: Lab, id: string): Promise<string[]> => {
      const { data } = await lab.data.binaryDataByIDs({ binaryDataIds: [id] });
      return data[0]?.metadata?.captureMetadata?.tags ?? [];
    };

    it('are created, listed, renamed and deleted', async () => {
      const lab = await newLab(fleet());
      const { organizationId } = lab;
      const cups = await newDataset(lab);
      const films = await newDataset(lab, 'films', DatasetType.SEQUENCE_DATA);
      const { datasets } = await lab.datasets.listDatasetsByOrganizationID({ organizationId });
      assert.deepEqual(
        datasets.map(({ id, name, type, organizationId: of }) => [id, name, type, of]),
        [
          [cups, 'cups', DatasetType.BINARY_DATA, organizationId],
          [films, 'films', DatasetType.SEQUENCE_DATA, organizationId],
        ],
      );
      assert.ok(datasets[0]?.timeCreated);
      const ofType = await lab.datasets.listDatasetsByOrganizationID({
        organizationId,
        type: DatasetType.SEQUENCE_DATA,
      });
      assert.deepEqual(
        ofType.datasets.map(({ id }) => id),
        [films],
      );
      await lab.datasets.renameDataset({ id: cups, name: 'mugs' });
      const byIds = async (...ids: string[]) =>
        (await lab.datasets.listDatasetsByIDs({ ids })).datasets.map(({ name }) => name);
      assert.deepEqual(await byIds(films, cups, films), ['films', 'mugs']);
      await lab.datasets.deleteDataset({ id: cups });
      await assertRejected(byIds(films, cups), Code.NotFound, /^dataset/);
      await assertRejected(lab.datasets.deleteDataset({ id: cups }), Code.NotFound);
      await assertRejected(newDataset(lab, ' '), Code.InvalidArgument, /^name/);
      await assertRejected(
        lab.datasets.renameDataset({ id: films, name: '' }),
        Code.InvalidArgument,
      );
    });

    it('are listed in the order of their creation', async () => {
      const lab = await newLab(fleet());
      const { organizationId } = lab;
      const ids: string[] = [];
      for (const name of ['f', 'e', 'd', 'c', 'b', 'a']) ids.push(await newDataset(lab, name));
      const { datasets } = await lab.datasets.listDatasetsByOrganizationID({ organizationId });
      assert.deepEqual(
        datasets.map(({ id }) => id),
        ids,
      );
    });

    it('add a tag to their items, and remove it with the membership and with the dataset', async () => {
      const lab = await newLab(fleet());
      const datasetId = await newDataset(lab);
      const tag = `SVC_DATASET_${datasetId}`;
      const [a, b] = [await capture(lab, 1, { tags: ['x'] }), await capture(lab, 2)];
      const binaryDataIds = [a, b];
      await lab.data.addBinaryDataToDatasetByIDs({ binaryDataIds, datasetId });
      await lab.data.addBinaryDataToDatasetByIDs({ ...olderIds(a), datasetId });
      assert.deepEqual(await readTags(lab, a), [tag, 'x']);
      assert.deepEqual(await readTags(lab, b), [tag]);
      const { data } = await lab.data.binaryDataByFilter({
        dataRequest: { filter: { datasetId } },
      });
      assert.deepEqual(
        data.map(({ metadata }) => metadata?.datasetIds),
        [[datasetId], [datasetId]],
      );
      await assertRejected(
        lab.data.removeTagsFromBinaryDataByIDs({ binaryDataIds, tags: [tag] }),
        Code.InvalidArgument,
        /remove them from it/,
      );
      await lab.data.removeBinaryDataFromDatasetByIDs({ binaryDataIds: [a], datasetId });
      await lab.data.removeBinaryDataFromDatasetByIDs({ binaryDataIds: [a], datasetId });
      assert.deepEqual(await readTags(lab, a), ['x']);
      await lab.datasets.deleteDataset({ id: datasetId });
      assert.deepEqual(await readTags(lab, b), []);
    });

    it('contain only items of their organization', async () => {
      const lab = await newLab(fleet());
      const other = await newLab(fleet());
      const datasetId = await newDataset(lab);
      const foreign = await capture(other, 1);
      const own = await capture(lab, 1);
      const add = (...binaryDataIds: string[]) =>
        lab.data.addBinaryDataToDatasetByIDs({ binaryDataIds, datasetId });
      await assertRejected(add(), Code.InvalidArgument, /binary_data_ids/);
      await assertRejected(add(own, foreign), Code.NotFound);
      assert.deepEqual(await readTags(lab, own), []);
      await assertRejected(
        lab.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [own], datasetId: ABSENT }),
        Code.NotFound,
        /^dataset/,
      );
      const both = await dataClientsWithRole(fleet(), 'organization_owner', lab.organizationId);
      await fleet().owner.shareLocation({
        locationId: other.locationId,
        organizationId: lab.organizationId,
      });
      await assertRejected(
        both.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [foreign], datasetId }),
        Code.PermissionDenied,
      );
    });

    it('are hidden from others, and changed only by owners of the organization', async () => {
      const lab = await newLab(fleet());
      const other = await newLab(fleet());
      const id = await newDataset(lab);
      const binaryDataIds = [await capture(lab, 1)];
      const { organizationId } = lab;
      const operator = await dataClientsWithRole(fleet(), 'organization_operator', organizationId);
      assert.equal((await operator.datasets.listDatasetsByIDs({ ids: [id] })).datasets.length, 1);
      const deniedCalls: [typeof operator, Code][] = [
        [operator, Code.PermissionDenied],
        [other, Code.NotFound],
      ];
      for (const [{ data, datasets }, code] of deniedCalls) {
        await assertRejected(datasets.createDataset({ organizationId, name: 'x' }), code);
        await assertRejected(datasets.renameDataset({ id, name: 'x' }), code);
        await assertRejected(datasets.deleteDataset({ id }), code);
        await assertRejected(
          data.addBinaryDataToDatasetByIDs({ binaryDataIds, datasetId: id }),
          code,
        );
        await assertRejected(
          data.removeBinaryDataFromDatasetByIDs({ binaryDataIds, datasetId: id }),
          code,
        );
      }
      await assertRejected(
        other.datasets.listDatasetsByOrganizationID({ organizationId }),
        Code.NotFound,
      );
      await assertRejected(other.datasets.listDatasetsByIDs({ ids: [id] }), Code.NotFound);
    });
  });
}
