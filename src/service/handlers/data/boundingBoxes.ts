import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { notFound } from '../../errors';
import { listMarks } from '../../store/data/binaryMarks';
import { deleteBox, insertBoxes } from '../../store/data/boundingBoxes';
import { getCaller, requireName } from '../handlerSupport';
import { boxRow } from './boxRow';
import { type DataDependencies, readableSelection, writableItems } from './dataAccess';

type BoxOperations = Pick<
  ServiceImpl<typeof DataService>,
  'addBoundingBoxToImageByID' | 'removeBoundingBoxFromImageByID' | 'boundingBoxLabelsByFilter'
>;

const LABELS = { table: 'bounding_boxes', column: 'label' } as const;

/** Handlers for labeled boxes on images (spec part 1, bounding box operations). */
export function boundingBoxHandlers({ store }: DataDependencies): BoxOperations {
  return {
    async addBoundingBoxToImageByID(request, context) {
      requireName(request.label, 'label');
      const id = getImageId(request);
      const box = boxRow(request);
      await store.transaction().execute(async (transaction) => {
        await writableItems(transaction, getCaller(context), [id]);
        await insertBoxes(transaction, id, [box]);
      });
      return { bboxId: box.id };
    },

    async removeBoundingBoxFromImageByID(request, context) {
      const id = getImageId(request);
      await store.transaction().execute(async (transaction) => {
        await writableItems(transaction, getCaller(context), [id]);
        if (!(await deleteBox(transaction, id, request.bboxId))) {
          throw notFound('bounding box', request.bboxId);
        }
      });
      return {};
    },

    async boundingBoxLabelsByFilter({ filter }, context) {
      const selection = await readableSelection(store, getCaller(context), filter);
      return { labels: await listMarks(store, selection, LABELS) };
    },
  };
}

/** Returns the image that a request specifies, in either the newer or the older format. */
function getImageId(request: {
  binaryDataId: string;
  binaryId?: { fileId: string } | undefined;
}): string {
  return request.binaryDataId || (request.binaryId?.fileId ?? '');
}
