import { queryByIds } from '../identifiers';
import type { StoreAccess } from '../store';
import { addTags, groupByItem, removeTagEverywhere, removeTags } from './binaryMarks';
import type { DatasetRow } from './dataSchema';
import { datasetTag } from './binaryFilter';

export async function insertDataset(access: StoreAccess, dataset: DatasetRow): Promise<void> {
  await access.insertInto('datasets').values(dataset).execute();
}

export async function findDatasets(
  access: StoreAccess,
  ids: readonly string[],
): Promise<DatasetRow[]> {
  return queryByIds(ids, (batch) =>
    access.selectFrom('datasets').selectAll().where('id', 'in', batch).execute(),
  );
}

/** Returns an organization's datasets of one type, or of all types, oldest first. */
export async function listDatasets(
  access: StoreAccess,
  organizationId: string,
  type: number | undefined,
): Promise<DatasetRow[]> {
  return access
    .selectFrom('datasets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function renameDataset(access: StoreAccess, id: string, name: string): Promise<void> {
  await access.updateTable('datasets').set({ name }).where('id', '=', id).execute();
}

/**
 * Deletes a dataset and removes its tag from its members. The members are not deleted. Must run in
 * a transaction.
 */
export async function deleteDataset(access: StoreAccess, id: string): Promise<void> {
  await access.deleteFrom('datasets').where('id', '=', id).execute();
  await removeTagEverywhere(access, datasetTag(id));
}

/**
 * Adds items to a dataset and adds the dataset's tag to them. Existing members aren't affected.
 * Must run in a transaction.
 */
export async function addMembers(
  access: StoreAccess,
  datasetId: string,
  binaryIds: readonly string[],
): Promise<void> {
  await queryByIds(binaryIds, (batch) =>
    access
      .insertInto('dataset_members')
      .values(batch.map((id) => ({ dataset_id: datasetId, binary_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  await addTags(access, binaryIds, [datasetTag(datasetId)]);
}

/**
 * Removes items from a dataset and removes the dataset's tag from them. Ignores items that aren't
 * members. Must run in a transaction.
 */
export async function removeMembers(
  access: StoreAccess,
  datasetId: string,
  binaryIds: readonly string[],
): Promise<void> {
  await queryByIds(binaryIds, (batch) =>
    access
      .deleteFrom('dataset_members')
      .where('dataset_id', '=', datasetId)
      .where('binary_id', 'in', batch)
      .execute(),
  );
  await removeTags(access, binaryIds, [datasetTag(datasetId)]);
}

/** Returns the datasets that contain the items, by item ID. */
export async function datasetsByItem(
  access: StoreAccess,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await queryByIds(ids, (batch) =>
    access
      .selectFrom('dataset_members')
      .selectAll()
      .where('binary_id', 'in', batch)
      .orderBy('dataset_id')
      .execute(),
  );
  return groupByItem(rows, ({ dataset_id }) => dataset_id);
}
