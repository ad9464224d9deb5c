import { getCaptureTime, type TimeSpan } from '../../simulate/fill/fillPlan';
import { cartonScene, type CartonState } from '../../simulate/images/cartonScene';
import { encodeImage, IMAGE_FILES } from '../../simulate/images/encodeImage';
import type { LabeledBox } from '../../simulate/images/hallScene';
import type { Random } from '../../simulate/random';
import type { CapturedContent } from '../../simulate/machines/partUploads';

/** The images are small so that training on hundreds of them takes only seconds. */
const WIDTH = 96;
const HEIGHT = 72;
const STATES: readonly CartonState[] = ['intact', 'damaged'];

/** Image with the labels that users have added. */
export interface InspectedImage {
  readonly content: CapturedContent;
  readonly tag: CartonState;
  readonly objects: readonly LabeledBox[];
}

/**
 * Returns images of cartons that passed under a camera in a time range. Half of the cartons are
 * intact and half are damaged.
 */
export function createInspectedImages(
  random: Random,
  span: TimeSpan,
  count: number,
): InspectedImage[] {
  const times = random.of('times');
  return Array.from({ length: count }, (_, index) => {
    const tag = STATES[index % STATES.length] ?? 'intact';
    const at = getCaptureTime(span, times, index, count);
    const { canvas, objects } = cartonScene(random.of(String(index)), tag, WIDTH, HEIGHT);
    // JPEG encoding would take ten times as long.
    const bytes = encodeImage(canvas, 'png');
    return { content: { at, bytes, ...IMAGE_FILES.png }, tag, objects };
  });
}
