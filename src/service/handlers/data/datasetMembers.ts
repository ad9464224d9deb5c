import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { invalid } from '../../errors';
import { addMembers, removeMembers } from '../../store/data/datasets';
import { getCaller, getResourcePath } from '../handlerSupport';
import { type DataDependencies, getBinaryDataIds, writableItems } from './dataAccess';

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
