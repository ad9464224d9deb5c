import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../../gen/viam/app/data/v1/data_pb';
import { invalid, notFound } from '../../errors';
import { deleteBox, insertBoxes, listMarks, type NewBox } from '../../store/data/binaryMarks';
import { getCaller, requireName } from '../handlerSupport';
import { type DataDependencies, readableSelection, writableItems } from './dataAccess';
import { newId } from '../../store/identifiers';

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

/** Box as sent in requests. */
interface SentBox {
  label: string;
  xMinNormalized: number;
  yMinNormalized: number;
  xMaxNormalized: number;
  yMaxNormalized: number;
  confidence?: number | undefined;
}

/**
 * Returns a new box.
 * @throws InvalidArgument if a coordinate or the confidence is not between 0 and 1, or if an edge
 *   is beyond the opposite edge.
 */
export function boxRow(box: SentBox): NewBox {
  requireConfidence(box.confidence);
  requireSpan(box.xMinNormalized, box.xMaxNormalized, 'x');
  requireSpan(box.yMinNormalized, box.yMaxNormalized, 'y');
  return {
    id: newId(),
    label: box.label,
    x_min: box.xMinNormalized,
    y_min: box.yMinNormalized,
    x_max: box.xMaxNormalized,
    y_max: box.yMaxNormalized,
    confidence: box.confidence ?? null,
  };
}

/**
 * Validates a model's confidence. It is absent if a user annotated the image.
 * @throws InvalidArgument if it is not between 0 and 1. Also rejects NaN, because one of the stores
 *   saves NaN as absent.
 */
export function requireConfidence(confidence: number | undefined): void {
  if (confidence !== undefined && !isShare(confidence)) {
    throw invalid('confidence: must be from 0 to 1, or omitted');
  }
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

function requireSpan(min: number, max: number, axis: 'x' | 'y'): void {
  const [low, high] = [`${axis}_min_normalized`, `${axis}_max_normalized`];
  if (![min, max].every(isShare)) {
    throw invalid(`${low} and ${high}: coordinates of a box must be from 0 to 1`);
  }
  if (min > max) throw invalid(`${low}: must not be greater than ${high}`);
}
