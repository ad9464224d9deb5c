import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type BinaryData, Order, TagsFilterType } from '../../gen/viam/app/data/v1/data_pb';
import type { DataClient } from './demoClient';
import { LIVE_TAG } from './demoEquipment';

const PAGE = 500n;

/**
 * Deletes images and point clouds that demo machines captured before a time, except those that a
 * user has tagged, labeled, or added to a dataset.
 */
export async function deleteOldCaptures(
  data: DataClient,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  const filter = {
    tagsFilter: { type: TagsFilterType.MATCH_BY_OR, tags: [LIVE_TAG] },
    interval: { end: timestampFromDate(before) },
  };
  for (let last = '', isDone = false; !isDone;) {
    const page = await data.binaryDataByFilter(
      {
        dataRequest: { filter, limit: PAGE, last, sortOrder: Order.ASCENDING },
        includeBinary: false,
      },
      { signal },
    );
    const binaryDataIds = page.data
      .filter(isUntouched)
      .flatMap(({ metadata }) => metadata?.binaryDataId ?? []);
    if (binaryDataIds.length > 0) {
      await data.deleteBinaryDataByIDs({ binaryDataIds }, { signal });
    }
    ({ last } = page);
    isDone = BigInt(page.data.length) < PAGE;
  }
}

function isUntouched({ metadata }: BinaryData): boolean {
  const { captureMetadata, annotations, datasetIds = [] } = metadata ?? {};
  return (
    captureMetadata?.tags.length === 1 &&
    (annotations?.bboxes ?? []).length === 0 &&
    datasetIds.length === 0
  );
}
