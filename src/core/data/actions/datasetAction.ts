import type { DatasetId } from '../../model/ids';
import type { BinaryDataNow, BulkAction } from './bulkAction';

/** Adds items to a dataset. An undo removes only the items that were not in the dataset before. */
export function addToDatasetAction(store: BinaryDataNow, dataset: DatasetId): BulkAction {
  return {
    isSelective: true,
    isDoneWhenGone: false,
    steps: (items) => [
      {
        items: items.filter(({ datasetIds }) => !datasetIds.includes(dataset)),
        run: (ids) => store().addToDataset(dataset, ids),
        undo: (ids) => store().removeFromDataset(dataset, ids),
      },
    ],
    runOnFilter: undefined,
  };
}

/**
 * Removes items from a dataset. An undo adds back only the items that were in the dataset before.
 */
export function removeFromDatasetAction(store: BinaryDataNow, dataset: DatasetId): BulkAction {
  return {
    isSelective: true,
    isDoneWhenGone: true,
    steps: (items) => [
      {
        items: items.filter(({ datasetIds }) => datasetIds.includes(dataset)),
        run: (ids) => store().removeFromDataset(dataset, ids),
        undo: (ids) => store().addToDataset(dataset, ids),
      },
    ],
    runOnFilter: undefined,
  };
}
