import type { BoxView } from '../../../src/shared/data/boxes';
import { element } from '../../ui/elements';
import { drawBoxes } from '../boxes/drawBoxes';
import { decodeThumbnail } from '../decodeImage';

const WIDTH = 240;
const HEIGHT = 180;

type Load = (id: string, signal: AbortSignal) => Promise<ArrayBuffer>;

/** An image in the review with its proposed boxes, loaded when it becomes visible. */
export class ReviewThumbnail {
  readonly element: HTMLCanvasElement;
  private readonly stop = new AbortController();
  private readonly sight: IntersectionObserver;
  private bitmap: ImageBitmap | undefined;
  private boxes: readonly BoxView[] = [];

  constructor(
    private readonly image: { readonly id: string; readonly name: string },
    private readonly load: Load,
  ) {
    this.element = element('canvas', {
      class: 'review-thumbnail',
      role: 'img',
      'aria-label': image.name,
    });
    const ratio = devicePixelRatio;
    this.element.width = Math.round(WIDTH * ratio);
    this.element.height = Math.round(HEIGHT * ratio);
    this.sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      this.sight.disconnect();
      void this.read();
    });
    this.sight.observe(this.element);
  }

  show(boxes: readonly BoxView[]): void {
    this.boxes = boxes;
    this.draw();
  }

  dispose(): void {
    this.stop.abort();
    this.sight.disconnect();
    this.bitmap?.close();
    this.bitmap = undefined;
  }

  private async read(): Promise<void> {
    const { width, height } = this.element;
    try {
      const bytes = await this.load(this.image.id, this.stop.signal);
      const decoded = await decodeThumbnail(bytes, { width, height });
      if (typeof decoded === 'string') return;
      if (this.stop.signal.aborted) {
        decoded.bitmap.close();
        return;
      }
      this.bitmap = decoded.bitmap;
      this.draw();
    } catch {
      // If the image can't be loaded, its name and labels are still shown.
    }
  }

  private draw(): void {
    const { bitmap } = this;
    const context = this.element.getContext('2d');
    if (!bitmap || !context) return;
    const ratio = this.element.width / WIDTH;
    const scale = Math.min(WIDTH / bitmap.width, HEIGHT / bitmap.height);
    const [width, height] = [bitmap.width * scale, bitmap.height * scale];
    const frame = { x: (WIDTH - width) / 2, y: (HEIGHT - height) / 2, width, height };
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, WIDTH, HEIGHT);
    context.drawImage(bitmap, frame.x, frame.y, width, height);
    drawBoxes(context, this.boxes, frame, { fontSize: 10 });
  }
}
