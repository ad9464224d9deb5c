import { encodeImage, IMAGE_FILES } from '../../simulate/images/encodeImage';
import { hallScene } from '../../simulate/images/hallScene';
import { withComment } from '../../simulate/images/withComment';
import type { Random } from '../../simulate/random';
import { getCaptureTime, type TimeSpan } from '../../simulate/fill/timeSpan';
import type { CapturedContent } from '../../simulate/uploads/partUploads';

const WIDTH = 320;
const HEIGHT = 240;
/**
 * Number of images that show the same scene. Encoding every image separately would take seconds.
 */
const SAME_SCENE = 16;

/** Returns the images of a fixed camera in a time range. */
export function createImageSeries(
  random: Random,
  span: TimeSpan,
  count: number,
): CapturedContent[] {
  const times = random.of('times');
  let scene: Uint8Array | undefined;
  return Array.from({ length: count }, (_, index) => {
    const at = getCaptureTime(span, times, index, count);
    if (scene === undefined || index % SAME_SCENE === 0) {
      const { canvas } = hallScene(random.of(`scene ${String(index)}`), at, WIDTH, HEIGHT);
      scene = encodeImage(canvas, 'jpeg');
    }
    return { at, bytes: withComment(scene, `frame ${String(index + 1)}`), ...IMAGE_FILES.jpeg };
  });
}
