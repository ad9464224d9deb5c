import { momentIn, type TimeSpan } from '../../simulate/fill/timeSpan';
import { cartonScene, type CartonState } from '../../simulate/images/cartonScene';
import { encodeImage, IMAGE_FILES } from '../../simulate/images/encodeImage';
import type { LabeledBox } from '../../simulate/images/hallScene';
import type { Random } from '../../simulate/random';
import type { CapturedContent } from '../../simulate/uploads/partUploads';

/** Small, so that hundreds are trained on in seconds. */
const WIDTH = 96;
const HEIGHT = 72;
const STATES: readonly CartonState[] = ['intact', 'damaged'];

/** A picture with what people said of it. */
export interface InspectedPicture {
  readonly content: CapturedContent;
  readonly tag: CartonState;
  readonly objects: readonly LabeledBox[];
}

/** Cartons that passed below a camera in a stretch of time, as many intact as damaged. */
export function inspectedPictures(
  random: Random,
  span: TimeSpan,
  count: number,
): InspectedPicture[] {
  const times = random.of('times');
  return Array.from({ length: count }, (_, index) => {
    const tag = STATES[index % STATES.length] ?? 'intact';
    const at = momentIn(span, times, index, count);
    const { canvas, objects } = cartonScene(random.of(String(index)), tag, WIDTH, HEIGHT);
    // As a JPEG, each would take ten times as long.
    const bytes = encodeImage(canvas, 'png');
    return { content: { at, bytes, ...IMAGE_FILES.png }, tag, objects };
  });
}
