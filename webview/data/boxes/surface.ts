import type { BoxView, Corners, EditedBox } from '../../../src/shared/data/boxes';
import { element } from '../../ui/elements';
import { boxesAt, type Frame, type Point, type Size } from './boxGeometry';
import { drawActive, drawBoxes } from './drawBoxes';
import { Viewport } from './viewport';

/** Content drawn over the image. */
export interface Shown {
  readonly boxes: readonly EditedBox[];
  readonly selected: EditedBox | undefined;
  readonly draft: Corners | undefined;
  readonly canEdit: boolean;
  readonly areLabelsShown: boolean;
}

const emptyContent: Shown = {
  boxes: [],
  selected: undefined,
  draft: undefined,
  canEdit: false,
  areLabelsShown: true,
};

/** Minimum zoom at which image pixels are drawn as sharp squares. */
const SHARP_ZOOM = 2;

type Layer = 'picture' | 'boxes' | 'active';
const layers = ['picture', 'boxes', 'active'] as const;

/**
 * Draws the image and its boxes on separate canvases, so that only the boxes are redrawn during a
 * drag. Each canvas is drawn at most once per frame, in device pixels.
 */
export class Surface {
  readonly element: HTMLElement;
  readonly viewport = new Viewport();
  private readonly canvases: Readonly<Record<Layer, HTMLCanvasElement>>;
  private readonly due = new Set<Layer>();
  private picture: ImagePyramid | undefined;
  private shown = emptyContent;
  /** Boxes that a model predicted; they aren't stored and are drawn with dashed lines. */
  private predicted: readonly BoxView[] = [];
  /** Pointer position; undefined if the pointer isn't over the image. */
  private pointer: Point | undefined;
  private hoveredId: string | undefined;
  private frameRequest: number | undefined;
  private measuredRatio = 0;
  private readonly sizes = new ResizeObserver(() => this.measure());

  constructor(
    attributes: Readonly<Record<string, string>>,
    private readonly onView: () => void,
  ) {
    this.canvases = { picture: canvas(), boxes: canvas(), active: canvas() };
    this.element = element(
      'div',
      { ...attributes, class: 'image-surface', tabindex: '0' },
      ...layers.map((layer) => this.canvases[layer]),
    );
    this.sizes.observe(this.element);
  }

  /** Shows another image; undefined shows none. Releases the previous image. */
  setImage(picture: ImageBitmap | undefined): void {
    this.picture?.close();
    this.picture = picture && new ImagePyramid(picture);
    this.shown = emptyContent;
    if (picture) this.viewport.setImage(picture);
    this.invalidateView();
  }

  /** Draws the boxes; skips drawing if the boxes are the same objects as before. */
  show(shown: Shown): void {
    const before = this.shown;
    this.shown = shown;
    const isSame =
      before.boxes === shown.boxes &&
      before.selected?.id === shown.selected?.id &&
      before.areLabelsShown === shown.areLabelsShown;
    if (!isSame) this.invalidate('boxes');
    this.invalidate('active');
  }

  /** Draws a model's predicted boxes in addition to the image's own boxes. */
  showPredictions(boxes: readonly BoxView[]): void {
    this.predicted = boxes;
    this.invalidate('boxes');
    this.invalidate('active');
  }

  /** Shows the label of the box at a pointer position; undefined hides it. */
  hover(at: Point | undefined): void {
    this.pointer = at;
    if (this.findHovered()?.id !== this.hoveredId) this.invalidate('active');
  }

  /** Redraws the image and the boxes at their current position. */
  invalidateView(): void {
    for (const layer of layers) this.invalidate(layer);
    this.onView();
  }

  dispose(): void {
    this.sizes.disconnect();
    if (this.frameRequest !== undefined) cancelAnimationFrame(this.frameRequest);
    this.picture?.close();
    this.picture = undefined;
  }

  private invalidate(layer: Layer): void {
    this.due.add(layer);
    this.frameRequest ??= requestAnimationFrame(() => {
      this.frameRequest = undefined;
      const due = [...this.due];
      this.due.clear();
      // No event is fired when the window moves to a screen with a different resolution.
      if (this.measuredRatio !== devicePixelRatio) this.measure();
      for (const one of due) this.draw(one);
    });
  }

  private measure(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.measuredRatio = devicePixelRatio;
    for (const layer of layers) {
      const target = this.canvases[layer];
      target.width = Math.max(1, Math.round(width * devicePixelRatio));
      target.height = Math.max(1, Math.round(height * devicePixelRatio));
    }
    this.viewport.setView({ width, height }, devicePixelRatio);
    this.invalidateView();
  }

  private draw(layer: Layer): void {
    const target = this.canvases[layer];
    const context = target.getContext('2d');
    if (!context) return;
    const ratio = this.measuredRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, target.width, target.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!this.picture) return;
    const { frame } = this.viewport;
    switch (layer) {
      case 'picture':
        this.drawImage(context, this.picture, frame);
        break;
      case 'boxes':
        this.drawOthers(context, frame);
        break;
      case 'active':
        this.drawActive(context, frame);
    }
  }

  private drawActive(context: CanvasRenderingContext2D, frame: Frame): void {
    const hovered = this.findHovered();
    this.hoveredId = hovered?.id;
    drawActive(context, { ...this.shown, hovered }, frame);
  }

  private findHovered(): BoxView | undefined {
    const { pointer } = this;
    if (!pointer) return undefined;
    const { boxes } = this.shown;
    const drawn = [...boxes.flatMap(({ leftovers }) => leftovers), ...boxes, ...this.predicted];
    return boxesAt(pointer, drawn, this.viewport.frame)[0];
  }

  private drawImage(
    context: CanvasRenderingContext2D,
    picture: ImagePyramid,
    { x, y, width, height }: Frame,
  ): void {
    context.imageSmoothingEnabled = this.viewport.zoom < SHARP_ZOOM;
    context.imageSmoothingQuality = this.viewport.zoom < 1 ? 'medium' : 'low';
    const level = picture.levelFor(width * this.measuredRatio);
    context.drawImage(level, x, y, width, height);
  }

  private drawOthers(context: CanvasRenderingContext2D, frame: Frame): void {
    const { boxes, selected, areLabelsShown: labels } = this.shown;
    const others = boxes.filter(({ id }) => id !== selected?.id);
    const leftovers = boxes.flatMap((box) => box.leftovers);
    const unsure = [...others.filter(({ deleted }) => deleted), ...leftovers];
    const broken = new Set([...unsure, ...this.predicted].map(({ id }) => id));
    drawBoxes(context, [...leftovers, ...others, ...this.predicted], frame, { broken, labels });
  }
}

function canvas(): HTMLCanvasElement {
  return element('canvas', { class: 'image-layer', 'aria-hidden': 'true' });
}

/** Maximum number of pixels for which downscaling an image is fast enough. */
const MIN_LEVEL_PIXELS = 1_000_000;

/**
 * An image with downscaled copies, each half as large as the previous one. Drawing a large image at
 * a small size would be slow.
 */
class ImagePyramid {
  private levels: readonly ImageBitmap[];
  private closed = false;

  constructor(private readonly picture: ImageBitmap) {
    this.levels = [picture];
    void this.halve(picture);
  }

  get size(): Size {
    return this.picture;
  }

  /**
   * Returns the smallest copy that has at least as many pixels as the drawn image.
   * @param width width of the drawn image in device pixels
   */
  levelFor(width: number): ImageBitmap {
    return this.levels.findLast((level) => level.width >= width) ?? this.picture;
  }

  close(): void {
    this.closed = true;
    for (const level of this.levels) level.close();
  }

  private async halve(from: ImageBitmap): Promise<void> {
    if (from.width * from.height <= MIN_LEVEL_PIXELS) return;
    const half = await createImageBitmap(from, {
      resizeWidth: Math.max(1, Math.round(from.width / 2)),
      resizeHeight: Math.max(1, Math.round(from.height / 2)),
      resizeQuality: 'medium',
      // If there isn't enough memory for a copy, draw the original image.
    }).catch(() => undefined);
    if (this.closed) {
      half?.close();
    } else if (half) {
      this.levels = [...this.levels, half];
      await this.halve(half);
    }
  }
}
