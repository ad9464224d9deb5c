import { encodeImage, IMAGE_FILES } from '../../simulate/images/encodeImage';
import { hallScene } from '../../simulate/images/hallScene';
import { withComment } from '../../simulate/images/withComment';
import type { Random } from '../../simulate/random';
import { momentIn, type TimeSpan } from '../../simulate/fill/timeSpan';
import type { CapturedContent } from '../../simulate/uploads/partUploads';

const WIDTH = 320;
const HEIGHT = 240;
/** For so many pictures nothing moves in front of the camera: encoding them all would take seconds. */
const SAME_SCENE = 16;

/** What a camera that stands still sees in a stretch of time, in so many pictures. */
export function pictureSeries(random: Random, span: TimeSpan, count: number): CapturedContent[] {
  const times = random.of('times');
  let scene: Uint8Array | undefined;
  return Array.from({ length: count }, (_, index) => {
    const at = momentIn(span, times, index, count);
    if (scene === undefined || index % SAME_SCENE === 0) {
      const { canvas } = hallScene(random.of(`scene ${String(index)}`), at, WIDTH, HEIGHT);
      scene = encodeImage(canvas, 'jpeg');
    }
    return { at, bytes: withComment(scene, `frame ${String(index + 1)}`), ...IMAGE_FILES.jpeg };
  });
}
