import type { ServiceImpl } from '@connectrpc/connect';
import type { DatasetService } from '../../../gen/viam/app/dataset/v1/dataset_pb';
import { grantsPermission } from '../../auth/permissions';
import { notFound } from '../../errors';
import { datasetMessage } from '../../messages/dataMessages';
import {
  deleteDataset,
  findDatasets,
  insertDataset,
  listDatasets,
  renameDataset,
} from '../../store/data/datasets';
import { newId } from '../../store/identifiers';
import { getCaller, type HandlerDependencies, requireName } from '../handlerSupport';

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
        if (row === undefined || !listable.has(row.organization_id)) {
          throw notFound('dataset', id);
        }
        return datasetMessage(row);
      });
      return { datasets };
    },
  };
}
