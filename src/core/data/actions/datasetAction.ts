import type { DatasetId } from '../../model/ids';
import type { BinaryDataNow, BulkAction } from './bulkAction';

/** Adds items to a dataset. An undo takes out those alone that were not in it. */
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

/** Takes items out of a dataset. An undo puts those back alone that were in it. */
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
