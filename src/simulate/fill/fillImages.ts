import type { CallOptions, Client } from '@connectrpc/connect';
import { forEachBounded } from '../../base/bounded';
import { encodeImage, IMAGE_FILES, type ImageFormat } from '../images/encodeImage';
import { hallScene, type LabeledBox } from '../images/hallScene';
import { getHourOfDay } from '../readings/readingModel';
import { HALL_CAMERA } from '../machines/machineCaptures';
import type { CapturedContent } from '../machines/partUploads';
import {
  addToDataset,
  DEMO_TAG,
  type FillPlan,
  getCaptureTime,
  getUploader,
  UPLOADS_AT_ONCE,
} from './fillPlan';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';

const WIDTH = 640;
const HEIGHT = 480;
const DATASET = 'Demo data: warehouse scenes';
/**
 * Interval at which an image is a PNG file. The next constants are the intervals at which an image
 * is uploaded as a file or has no tags.
 */
const PNG_EVERY = 4;
const FILE_EVERY = 6;
const UNTAGGED_EVERY = 10;
/** Fraction of images that are labeled. The remaining images are for users who try labeling. */
const LABELED_SHARE = 0.7;
const EVENING = 20;
const MORNING = 6;
const NUMBER_LENGTH = 5;

/**
 * Uploads images of scenes, labels the objects in most of them, and adds the labeled images to a
 * dataset.
 */
export async function fillImages(plan: FillPlan, total: number): Promise<void> {
  const labeled: string[] = [];
  let done = 0;
  const indexes = Array.from({ length: total }, (_, index) => index);
  await forEachBounded(indexes, UPLOADS_AT_ONCE, async (index) => {
    const random = plan.random.of(`image ${String(index)}`);
    const at = getCaptureTime(plan.span, random, index, total);
    const { canvas, objects } = hallScene(random, at, WIDTH, HEIGHT);
    const format: ImageFormat = index % PNG_EVERY === PNG_EVERY - 1 ? 'png' : 'jpeg';
    const content = { at, bytes: encodeImage(canvas, format), ...IMAGE_FILES[format] };
    const tags = index % UNTAGGED_EVERY === UNTAGGED_EVERY - 1 ? [] : getTags(at, objects);
    const id = await upload(plan, index, content, tags);
    if (random.chance(LABELED_SHARE)) {
      await addBoxes(plan.data, id, objects, plan.options);
      labeled.push(id);
    }
    done += 1;
    plan.progress('images', done);
  });
  await addToDataset(plan, DATASET, labeled);
}

function upload(
  plan: FillPlan,
  index: number,
  content: CapturedContent,
  tags: readonly string[],
): Promise<string> {
  const { uploads } = getUploader(plan, index);
  if (index % FILE_EVERY === FILE_EVERY - 1) {
    const name = `scene-${String(index + 1).padStart(NUMBER_LENGTH, '0')}`;
    return uploads.file(HALL_CAMERA, name, content, tags, plan.options);
  }
  return uploads.content(HALL_CAMERA, content, tags, plan.options);
}

function getTags(at: Date, objects: readonly LabeledBox[]): string[] {
  const hour = getHourOfDay(at);
  return [
    DEMO_TAG,
    hour >= MORNING && hour < EVENING ? 'day' : 'night',
    ...(objects.some(({ label }) => label === 'person') ? ['person'] : []),
  ];
}

/** Adds boxes to the objects in an image, one after another. */
export async function addBoxes(
  data: Client<typeof DataService>,
  binaryDataId: string,
  boxes: readonly LabeledBox[],
  options?: CallOptions,
): Promise<void> {
  for (const { label, xMin, yMin, xMax, yMax } of boxes) {
    await data.addBoundingBoxToImageByID(
      {
        binaryDataId,
        label,
        xMinNormalized: xMin,
        yMinNormalized: yMin,
        xMaxNormalized: xMax,
        yMaxNormalized: yMax,
      },
      options,
    );
  }
}
