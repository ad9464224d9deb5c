import type { ServiceImpl } from '@connectrpc/connect';
import type { DatasetService } from '../../../gen/viam/app/dataset/v1/dataset_pb';
import { grantsPermission } from '../../auth/permissions';
import { invalid, notFound } from '../../errors';
import { datasetMessage } from '../../messages/dataMessages';
import {
  addMembers,
  deleteDataset,
  findDatasets,
  insertDataset,
  listDatasets,
  removeMembers,
  renameDataset,
} from '../../store/data/datasets';
import { newId } from '../../store/identifiers';
import {
  getCaller,
  getResourcePath,
  type HandlerDependencies,
  requireName,
} from '../handlerSupport';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { type DataDependencies, getBinaryDataIds, writableItems } from './dataAccess';

/**
 * Handlers for datasets, which are named collections of binary items in one organization (spec part
 * 1, dataset operations).
 */
export function datasetHandlers({
  store,
  now,
}: HandlerDependencies): ServiceImpl<typeof DatasetService> {
  return {
    async createDataset(request) {
      const id = newId();
      await insertDataset(store, {
        id,
        organization_id: request.organizationId,
        name: requireName(request.name),
        type: request.type ?? 0,
        created_at: now(),
      });
      return { id };
    },

    async deleteDataset({ id }) {
      await store.transaction().execute((transaction) => deleteDataset(transaction, id));
      return {};
    },

    async renameDataset({ id, name }) {
      await renameDataset(store, id, requireName(name));
      return {};
    },

    async listDatasetsByOrganizationID({ organizationId, type }) {
      const rows = await listDatasets(store, organizationId, type);
      return { datasets: rows.map(datasetMessage) };
    },

    async listDatasetsByIDs({ ids }, context) {
      const { grants } = getCaller(context);
      const listable = new Set(
        grants
          .filter((grant) => grantsPermission(grant, 'list_dataset'))
          .map(({ organizationId }) => organizationId),
      );
      const found = new Map((await findDatasets(store, ids)).map((row) => [row.id, row]));
      const datasets = [...new Set(ids)].map((id) => {
        const row = found.get(id);
        if (row === undefined || !listable.has(row.organization_id)) throw notFound('dataset', id);
        return datasetMessage(row);
      });
      return { datasets };
    },
  };
}

type MemberOperations = Pick<
  ServiceImpl<typeof DataService>,
  'addBinaryDataToDatasetByIDs' | 'removeBinaryDataFromDatasetByIDs'
>;

/** Handlers for the members of datasets (spec part 1, states and transitions). */
export function datasetMemberHandlers({ store }: DataDependencies): MemberOperations {
  return {
    async addBinaryDataToDatasetByIDs(request, context) {
      const { organizationId } = getResourcePath(context);
      const ids = getBinaryDataIds(request);
      await store.transaction().execute(async (transaction) => {
        const items = await writableItems(transaction, getCaller(context), ids);
        const foreign = items.find((item) => item.organization_id !== organizationId);
        if (foreign !== undefined) {
          throw invalid(
            `binary_data_ids: "${foreign.id}" is of another organization than the dataset`,
          );
        }
        await addMembers(transaction, request.datasetId, ids);
      });
      return {};
    },

    async removeBinaryDataFromDatasetByIDs(request, context) {
      const ids = getBinaryDataIds(request);
      await store.transaction().execute(async (transaction) => {
        await writableItems(transaction, getCaller(context), ids);
        await removeMembers(transaction, request.datasetId, ids);
      });
      return {};
    },
  };
}
